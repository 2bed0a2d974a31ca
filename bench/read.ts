// Measures reading one receipt at 64 connections: generated REST and POST /graphql, with the text of the document and
// with the id of a trusted document, against the hand-written baseline.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compare, inBench, projectKey, record, report } from './kit.ts'

const query = `query ($id: ID!) { receipt(id: $id) { id status bundleHash anchorTx xmlUrl bundleUrl resourceHash createdAt anchoredAt } }`
const documentId = 'bench:receipt'

await inBench(async ({ serve, folder }) => {
  const listed = join(folder, 'documents.json')
  // A text of its own, because requests with the text of a trusted document would find that one.
  await writeFile(listed, JSON.stringify({ [documentId]: `${query} ` }))
  const quittance = await serve('src/main.ts', { GRAPHQL_DOCUMENTS_FILE: listed })
  const floor = await serve('bench/floor.ts', {})
  const key = await projectKey(quittance.url)
  const ids = await Promise.all(Array.from({ length: 50 }, () => record(quittance.url, key)))
  await new Promise(resolve => setTimeout(resolve, 4_000))
  const path = (id: string) => ({ method: 'GET' as const, path: `/v1/iso/receipts/${id}` })
  const post = (document: { query: string } | { documentId: string }) => (id: string) => ({
    method: 'POST' as const,
    path: '/graphql',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...document, variables: { id } }),
  })
  const rates = await compare(
    {
      floor: { url: floor.url, requests: ids.map(path) },
      rest: { url: quittance.url, requests: ids.map(path) },
      graphql: { url: quittance.url, requests: ids.map(post({ query })) },
      trusted: { url: quittance.url, requests: ids.map(post({ documentId })) },
    },
    { connections: 64 },
  )
  report('GET /v1/iso/receipts/{rid}, 64 connections', rates.rest, rates.floor, 0.7)
  report('POST /graphql for the same receipt, 64 connections', rates.graphql, rates.floor, 0.9)
  report('the same with the id of a trusted document', rates.trusted, rates.floor, 1)
})
