// Measures recording. At 48 connections: against a bare durable insert, and against the service without the counters of
// receipts. At one connection: against the plain transaction, against one that writes only the receipt and its job, and
// against the service without the counters.
import pg from 'pg'
import { compare, inBench, median, projectKey, report, type serve as Serve, tip } from './kit.ts'

/** Starts a service on a database of its own, in which it then runs `change`. */
async function onItsOwn(databaseUrl: string, serve: typeof Serve, name: string, change: string) {
  const ownUrl = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).toString()
  await onDatabase(databaseUrl, `create database ${name}`)
  const { url } = await serve('src/main.ts', { ROLES: 'api', DATABASE_URL: ownUrl })
  await onDatabase(ownUrl, change)
  return { url, key: await projectKey(url) }
}

async function onDatabase(connectionString: string, text: string): Promise<void> {
  const database = new pg.Client({ connectionString })
  await database.connect()
  await database.query(text)
  await database.end()
}

await inBench(async ({ serve, databaseUrl }) => {
  const quittance = await serve('src/main.ts', { ROLES: 'api' })
  const floor = await serve('bench/floor.ts', {})
  const key = await projectKey(quittance.url)
  // Two databases that only these two loads fill, because recording costs more in a larger one.
  const counted = await onItsOwn(databaseUrl, serve, 'counted', '')
  const uncounted = await onItsOwn(databaseUrl, serve, 'uncounted', 'drop function receipt_count cascade')
  const post = (path: string, apiKey = key) => ({
    method: 'POST' as const,
    path,
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
    setupRequest: (request: object) => ({ ...request, body: tip() }),
  })
  const loads = {
    insert: { url: floor.url, requests: [post('/insert')] },
    lean: { url: floor.url, requests: [post('/row-and-job')] },
    transaction: { url: floor.url, requests: [post('/transaction')] },
    record: { url: quittance.url, requests: [post('/v1/iso/record-tip')] },
    counted: { url: counted.url, requests: [post('/v1/iso/record-tip', counted.key)] },
    uncounted: { url: uncounted.url, requests: [post('/v1/iso/record-tip', uncounted.key)] },
  }
  const database = new pg.Client({ connectionString: databaseUrl })
  // When a measurement fails, PostgreSQL ends before this connection, and would hide why.
  database.on('error', () => undefined)
  await database.connect()
  let carried = 0
  // No worker runs here, and adding a job in the plain way is slow when the queue is long.
  const emptyQueue = async () => {
    await database.query('begin; lock table graphile_worker._private_jobs')
    const { rows } = await database.query(
      `select count(distinct receipts.id)::int as carried from graphile_worker._private_jobs,
       json_array_elements_text(payload->'receipts') as of(id) join receipts on receipts.id = of.id::uuid`,
    )
    carried += rows[0].carried
    await database.query('truncate graphile_worker._private_jobs; commit')
  }
  const one = await compare(
    { lean: loads.lean, transaction: loads.transaction, record: loads.record },
    { connections: 1, before: emptyQueue },
  )
  report('POST /v1/iso/record-tip, one connection, against the plain transaction', one.record, one.transaction, 1)

  const lean = median(one.record.map((value, round) => value / (one.lean[round] ?? Number.NaN)))
  console.log(`       and ${lean.toFixed(2)} of one that writes the receipt and its job alone`)

  // The counters cost less than the noise of a round, so there are more rounds.
  const rounds = { rounds: 11, seconds: 2 }
  const pair = { uncounted: loads.uncounted, counted: loads.counted }
  const single = await compare(pair, { ...rounds, connections: 1 })
  report('the same, one connection, against the service without counters', single.counted, single.uncounted, 0.95)

  const many = await compare({ insert: loads.insert, record: loads.record }, { connections: 48 })
  report('POST /v1/iso/record-tip, 48 connections, against a bare insert', many.record, many.insert, 0.5)
  const crowd = await compare(pair, { ...rounds, connections: 48 })
  report('the same, 48 connections, against the service without counters', crowd.counted, crowd.uncounted, 0.95)
  await emptyQueue()
  const { rows } = await database.query('select count(*)::int as receipts from receipts')
  await database.end()
  const { receipts } = rows[0]
  console.log(
    `${receipts === carried ? 'ok' : 'LOST'}     ${receipts} receipts recorded, ${carried} of them with their job`,
  )
})
