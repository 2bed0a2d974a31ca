// Measures the time from recorded to anchored: 10,000 receipts through one API process and two workers, all at once and
// then at a steady pace; and the gas of a receipt by batch size. With OBJECT_STORE=1 files are in an object store on
// the same machine.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Interface, JsonRpcProvider, Wallet } from 'ethers'
import pg from 'pg'
import { pino } from 'pino'
import { type EmbeddedChain, startChain } from '../src/embedded/chain.ts'
import { type CpuSeconds, cpuSeconds, embeddedPids, used } from './cpu.ts'
import { anchoringOn, inBench, projectKey, record, type serve } from './kit.ts'

const offered = 10_000
const connections = 64
const steadyRate = 300
const steadySeconds = 20
const batches = [1, 10, 50, 100, 250, 500]

// The gas that no contract can save: the event (375, 375 for each topic, 8 for each byte of data) and 32 bytes of
// calldata, of which one in 256 is zero.
const limit = 375 + 2 * 375 + 8 * 64 + (32 * (16 * 255 + 4)) / 256

await inBench(async ({ serve, databaseUrl, folder }) => {
  const chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  try {
    const env = {
      ...anchoringOn(chain),
      ...(process.env.OBJECT_STORE === '1' && (await objectStore(serve))),
    }
    const api = await serve('src/main.ts', { ...env, ROLES: 'api' })
    const worker = () => serve('src/main.ts', { ...env, ROLES: 'worker' })
    const workers = [await worker(), await worker()]
    const pids = {
      'API process': [api.pid],
      'two workers': workers.map(({ pid }) => pid),
      ...(await embeddedPids(folder)),
      'load generator': [process.pid],
    }
    const key = await projectKey(api.url)
    const database = new pg.Client({ connectionString: databaseUrl })
    await database.connect()
    await untilAnchored(database, await offerAll(api.url, key, 200))
    await allAtOnce(database, api.url, key, () => cpuSeconds(pids))
    await steadily(database, api.url, key)
    await database.end()
    await gasByBatch(chain)
  } finally {
    await chain.stop()
  }
})

async function objectStore(start: typeof serve): Promise<Record<string, string>> {
  const { url } = await start('bench/object-store.ts', {})
  return { S3_ENDPOINT: url, S3_BUCKET: 'evidence', S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' }
}

async function offerAll(url: string, key: string, count: number): Promise<string[]> {
  const ids: string[] = []
  let left = count
  const one = async () => {
    while (left-- > 0) ids.push(await record(url, key))
  }
  await Promise.all(Array.from({ length: connections }, one))
  return ids
}

async function untilAnchored(database: pg.Client, ids: string[]): Promise<void> {
  const open = async () =>
    (await database.query(`select from receipts where id = any($1::uuid[]) and status <> 'anchored' limit 1`, [ids]))
      .rowCount
  while ((await open()) !== 0) await sleep(100)
}

/** Returns the time from a receipt to its event, both by the database's clock. */
async function waits(database: pg.Client, ids: string[]): Promise<{ p50: number; p99: number }> {
  const { rows } = await database.query<{ p50: number; p99: number }>(
    `select percentile_cont(0.5) within group (order by s) as p50, percentile_cont(0.99) within group (order by s) as p99
     from (select extract(epoch from e.created_at - r.created_at)::float8 as s
       from unnest($1::uuid[]) as asked(id) join receipts r using (id)
       join events e on e.receipt_id = r.id and e.status = 'anchored') as waited`,
    [ids],
  )
  return rows[0] ?? { p50: Number.NaN, p99: Number.NaN }
}

async function untilIdle(database: pg.Client): Promise<void> {
  const busy = 'select from graphile_worker.jobs where attempts = 0 or locked_by is not null limit 1'
  while ((await database.query(busy)).rowCount !== 0) await sleep(100)
}

async function allAtOnce(database: pg.Client, url: string, key: string, cpu: () => Promise<CpuSeconds>): Promise<void> {
  const before = await cpu()
  const started = performance.now()
  const ids = await offerAll(url, key, offered)
  const recorded = (performance.now() - started) / 1_000
  await untilAnchored(database, ids)
  const seconds = (performance.now() - started) / 1_000
  await untilIdle(database)
  const spent = used(before, await cpu())
  const { p50, p99 } = await waits(database, ids)
  const rate = offered / seconds
  console.log(
    `${rate >= 600 ? 'ok' : 'BELOW'}     ${offered} receipts recorded in ${recorded.toFixed(1)} s, all anchored after ${seconds.toFixed(1)} s: ${rate.toFixed(0)} a second (goal 600); recorded to anchored p50 ${p50.toFixed(1)} s, p99 ${p99.toFixed(1)} s`,
  )
  const each = Object.entries(spent).map(([name, seconds]) => ({ name, ms: (seconds * 1_000) / offered }))
  const total = each.reduce((sum, { ms }) => sum + ms, 0)
  const parts = each.map(({ name, ms }) => `${name} ${ms.toFixed(2)}`).join(', ')
  console.log(`        processor time of a receipt, its reports included: ${total.toFixed(2)} ms: ${parts}`)
}

async function steadily(database: pg.Client, url: string, key: string): Promise<void> {
  const offers: Promise<string>[] = []
  const started = performance.now()
  for (let n = 0; n < steadyRate * steadySeconds; n++) {
    offers.push(record(url, key))
    await sleep(Math.max(0, started + (n * 1_000) / steadyRate - performance.now()))
  }
  const ids = await Promise.all(offers)
  await untilAnchored(database, ids)
  const { p50, p99 } = await waits(database, ids)
  console.log(
    `        at a steady ${steadyRate} a second: recorded to anchored p50 ${p50.toFixed(2)} s, p99 ${p99.toFixed(2)} s`,
  )
}

async function gasByBatch({ rpcUrl, chainId, contract, anchorPrivateKey }: EmbeddedChain): Promise<void> {
  const provider = new JsonRpcProvider(rpcUrl, chainId, { staticNetwork: true, cacheTimeout: -1 })
  const wallet = new Wallet(anchorPrivateKey, provider)
  const functions = new Interface(['function anchorEvidence(bytes32)', 'function anchorEvidenceBatch(bytes32[])'])
  for (const size of batches) {
    const hashes = Array.from({ length: size }, () => `0x${randomBytes(32).toString('hex')}`)
    const data =
      size === 1
        ? functions.encodeFunctionData('anchorEvidence', hashes)
        : functions.encodeFunctionData('anchorEvidenceBatch', [hashes])
    const sent = await wallet.sendTransaction({ to: contract, data })
    const gas = Number((await sent.wait())?.gasUsed) / size
    const verdict = size < 500 ? '' : gas <= 2_450 ? 'ok' : 'ABOVE'
    console.log(
      `${verdict.padEnd(8)}${gas.toFixed(1)} gas a receipt in a batch of ${size}: ${(gas - limit).toFixed(1)} above the ${limit} that no contract can save`,
    )
  }
  provider.destroy()
}
