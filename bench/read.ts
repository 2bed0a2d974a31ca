// Measures reading one receipt at 64 connections: generated REST and POST /graphql against the hand-written baseline.
import { compare, inBench, projectKey, record, report } from './kit.ts'

await inBench(async ({ serve }) => {
  const quittance = await serve('src/main.ts', {})
  const floor = await serve('bench/floor.ts', {})
  const key = await projectKey(quittance.url)
  const ids = await Promise.all(Array.from({ length: 50 }, () => record(quittance.url, key)))
  await new Promise(resolve => setTimeout(resolve, 4_000))
  const path = (id: string) => ({ method: 'GET' as const, path: `/v1/iso/receipts/${id}` })
  const query = `query ($id: ID!) { receipt(id: $id) { id status bundleHash anchorTx xmlUrl bundleUrl resourceHash createdAt anchoredAt } }`
  const post = (id: string) => ({
    method: 'POST' as const,
    path: '/graphql',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { id } }),
  })
  const rates = await compare(
    {
      floor: { url: floor.url, requests: ids.map(path) },
      rest: { url: quittance.url, requests: ids.map(path) },
      graphql: { url: quittance.url, requests: ids.map(post) },
    },
    { connections: 64 },
  )
  report('GET /v1/iso/receipts/{rid}, 64 connections', rates.rest, rates.floor, 0.7)
  report('POST /graphql for the same receipt, 64 connections', rates.graphql, rates.floor, 0.45)
})
