// Measures how much webhooks slow the pipeline: receipts recorded to anchored without a receiver, with 100,000
// deliveries waiting for a receiver that never responds, and with a receiver that accepts every event; and how soon
// events arrive.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { startChain } from '../src/embedded/chain.ts'
import { anchoringOn, inBench, median, projectKey, record } from './kit.ts'

const rounds = 3
const receipts = 1_500
const connections = 32
const waiting = 100_000
const goal = 0.9

type Arrival = { id: string; at: number }

async function receiver(answer: (res: http.ServerResponse) => void) {
  const arrivals: Arrival[] = []
  const server = http.createServer((req, res) => {
    req.resume().on('end', () => {
      arrivals.push({ id: String(req.headers['webhook-id']).slice(4), at: Date.now() })
      answer(res)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, arrivals, stop: () => server.closeAllConnections() ?? server.close() }
}

await inBench(async ({ serve, databaseUrl, folder }) => {
  const chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const [alive, dead] = [await receiver(res => res.end()), await receiver(() => undefined)]
  try {
    const env = {
      ...anchoringOn(chain),
      ALLOW_PRIVATE_TARGETS: 'true',
    }
    const { url } = await serve('src/main.ts', env)
    const keys = { plain: await projectKey(url), heard: await projectKey(url) }
    await endpoint(url, keys.heard, alive.url)
    const flood = await endpoint(url, await projectKey(url), dead.url)
    const rates = { none: [] as number[], waiting: [] as number[], heard: [] as number[] }
    await anchorAll(database, url, keys.plain)
    for (let round = 0; round < rounds; round++) {
      rates.none.push(await anchorAll(database, url, keys.plain))
      await makeWaiting(database, flood)
      rates.waiting.push(await anchorAll(database, url, keys.plain))
      await removeWaiting(database, flood)
      rates.heard.push(await anchorAll(database, url, keys.heard))
      // Deliveries still to be sent would slow the next round, which is measured without a receiver.
      await untilSent(database, flood)
    }
    const ratio = median(rates.waiting) / median(rates.none)
    console.log(
      `${ratio >= goal ? 'ok   ' : 'BELOW'}  ${waiting} deliveries waiting for a receiver that does not answer: ${ratio.toFixed(2)} of the pipeline without (goal ${goal}); ${median(rates.waiting).toFixed(0)} receipts a second against ${median(rates.none).toFixed(0)}`,
    )
    const heard = median(rates.heard) / median(rates.none)
    const { p50, p99 } = await delays(database, alive.arrivals)
    console.log(
      `       with a receiver that takes every event: ${heard.toFixed(2)} of the pipeline without; event to receiver while receipts are recorded as fast as they are taken: p50 ${p50} ms, p99 ${p99} ms`,
    )
  } finally {
    await database.end()
    alive.stop()
    dead.stop()
    await chain.stop()
  }
})

type Endpoint = { id: string; projectId: string }

async function makeWaiting(database: pg.Client, { id, projectId }: Endpoint): Promise<void> {
  await database.query(
    `insert into events (type, project_id, endpoint_id) select 'webhook.test', $1, $2 from generate_series(1, ${waiting})`,
    [projectId, id],
  )
  const { rows } = await database.query(
    `select count(*)::int as count from webhook_deliveries where state = 'waiting' and lane = $1`,
    [id],
  )
  if (rows[0].count !== waiting) throw new Error(`${rows[0].count} deliveries wait, not ${waiting}`)
}

async function removeWaiting(database: pg.Client, { id }: Endpoint): Promise<void> {
  await database.query('delete from webhook_deliveries where endpoint_id = $1', [id])
}

async function untilSent(database: pg.Client, { id }: Endpoint): Promise<void> {
  const open = `select from webhook_deliveries where state = 'waiting' and endpoint_id <> $1 limit 1`
  while ((await database.query(open, [id])).rowCount !== 0) await sleep(100)
}

async function endpoint(url: string, key: string, address: string): Promise<Endpoint> {
  const query = `mutation { createWebhookEndpoint(input: { url: "${address}" }) { webhookEndpoint { id projectId } } }`
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  return (await response.json()).data.createWebhookEndpoint.webhookEndpoint
}

/** Returns receipts a second, from the first request until all receipts are anchored. */
async function anchorAll(database: pg.Client, url: string, key: string): Promise<number> {
  const ids: string[] = []
  let left = receipts
  const began = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) ids.push(await record(url, key))
    }),
  )
  const open = `select from receipts where id = any($1::uuid[]) and status <> 'anchored' limit 1`
  while ((await database.query(open, [ids])).rowCount !== 0) await sleep(50)
  return receipts / ((performance.now() - began) / 1_000)
}

/** Returns the milliseconds from an event to its arrival. */
async function delays(database: pg.Client, arrivals: readonly Arrival[]): Promise<{ p50: number; p99: number }> {
  const { rows } = await database.query<{ id: string; at: Date }>(
    'select id, created_at as at from events where id = any($1::bigint[])',
    [arrivals.map(({ id }) => id)],
  )
  const times = new Map(rows.map(row => [row.id, row.at.getTime()]))
  const took = arrivals.map(({ id, at }) => at - (times.get(id) ?? Number.NaN)).sort((a, b) => a - b)
  return {
    p50: took[Math.floor(took.length / 2)] ?? Number.NaN,
    p99: took[Math.floor(took.length * 0.99)] ?? Number.NaN,
  }
}
