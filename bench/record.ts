// Recording: at 48 connections beside a bare durable insert, at one connection beside the plain transaction.
import pg from 'pg'
import { compare, inBench, projectKey, report, tip } from './kit.ts'

await inBench(async ({ serve, databaseUrl }) => {
  const quittance = await serve('src/main.ts', { ROLES: 'api' })
  const floor = await serve('bench/floor.ts', {})
  const key = await projectKey(quittance.url)
  const post = (path: string) => ({
    method: 'POST' as const,
    path,
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    setupRequest: (request: object) => ({ ...request, body: tip() }),
  })
  const loads = {
    insert: { url: floor.url, requests: [post('/insert')] },
    transaction: { url: floor.url, requests: [post('/transaction')] },
    record: { url: quittance.url, requests: [post('/v1/iso/record-tip')] },
  }
  const many = await compare(loads, { connections: 48 })
  report('POST /v1/iso/record-tip, 48 connections, against a bare insert', many.record, many.insert, 0.5)
  const one = await compare({ transaction: loads.transaction, record: loads.record }, { connections: 1 })
  report('POST /v1/iso/record-tip, one connection, against the plain transaction', one.record, one.transaction, 1)

  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client
    .query(
      `select (select count(*) from receipts) as receipts,
       (select count(*) from receipts where id::text in (select jsonb_array_elements_text(payload->'receipts') from graphile_worker._private_jobs j
         cross join lateral (select j.payload::jsonb as payload) p)) as with_job`,
    )
    .catch(() => ({ rows: [] }))
  await client.end()
  if (rows[0]) console.log(`       ${rows[0].receipts} receipts recorded, ${rows[0].with_job} with their job`)
})
