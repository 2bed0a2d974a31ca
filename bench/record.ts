// Measures recording: at 48 connections against a bare durable insert, at one connection against the plain transaction.
import pg from 'pg'
import { compare, inBench, median, projectKey, report, tip } from './kit.ts'

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
    lean: { url: floor.url, requests: [post('/row-and-job')] },
    transaction: { url: floor.url, requests: [post('/transaction')] },
    record: { url: quittance.url, requests: [post('/v1/iso/record-tip')] },
  }
  // First, while the job queue is as short as with a worker: no worker runs here, and graphile-worker's functions are
  // slow for every caller when the queue has a hundred thousand jobs.
  const one = await compare(
    { lean: loads.lean, transaction: loads.transaction, record: loads.record },
    { connections: 1 },
  )
  report('POST /v1/iso/record-tip, one connection, against the plain transaction', one.record, one.transaction, 1)

  const lean = median(one.record.map((value, round) => value / (one.lean[round] ?? Number.NaN)))
  console.log(`       and ${lean.toFixed(2)} of one that writes the receipt and its job alone`)

  const many = await compare({ insert: loads.insert, record: loads.record }, { connections: 48 })
  report('POST /v1/iso/record-tip, 48 connections, against a bare insert', many.record, many.insert, 0.5)
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const { rows } = await database.query(
    `select count(*) as receipts, count(carried.id) as carried from receipts
     left join (select distinct json_array_elements_text(payload->'receipts')::uuid as id from graphile_worker._private_jobs)
       as carried using (id)`,
  )
  await database.end()
  const { receipts, carried } = rows[0]
  console.log(
    `${receipts === carried ? 'ok' : 'LOST'}     ${receipts} receipts recorded, ${carried} of them with their job`,
  )
})
