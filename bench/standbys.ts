// Measures nested reads without, with one and with two standbys: reads a second, and the CPU time of primary, standbys
// and API process for each; alone, and while receipts are recorded. --seconds and --rounds shorten the run.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { pino } from 'pino'
import { startChain } from '../src/embedded/chain.ts'
import { startServers } from '../test/kit/standby.ts'
import { type CpuSeconds, cpuSeconds, used } from './cpu.ts'
import { adminKey, anchoringOn, median, projectKey, record, type Server, serve } from './kit.ts'
import { documents } from './nested/documents.ts'
import { analyze, seed } from './nested/seed.ts'

const { values: flags } = parseArgs({
  options: {
    receipts: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    /** Receipts that are recorded in a second of the second load. */
    records: { type: 'string', default: '50' },
  },
})
const connections = 16
const projects = 10

type Outcome = { perSecond: number; reads: number; cpu: CpuSeconds }

const folder = await mkdtemp(join(tmpdir(), 'quittance-bench-'))
const chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
const servers = await startServers()
const services: Server[] = []
try {
  const { primary } = servers
  const standbys = [await servers.addStandby('one'), await servers.addStandby('two')]
  const settings = { DATABASE_URL: primary.url, DATA_DIR: folder, ROLES: 'api', ...anchoringOn(chain) }
  for (let count = 0; count <= standbys.length; count++) {
    const urls = standbys.slice(0, count).map(({ url }) => url)
    const more = count === 0 ? {} : { DATABASE_READ_URLS: urls.join() }
    services.push(await serve('src/main.ts', { ...settings, ...more }))
  }
  const [first] = services
  const keys: string[] = []
  for (let project = 0; project < projects; project++) keys.push(await projectKey(first?.url ?? ''))
  const database = new pg.Client({ connectionString: primary.url })
  await database.connect()
  const { rows } = await database.query<{ id: string }>('select id from projects order by created_at, id')
  await seed(
    database,
    Number(flags.receipts),
    rows.map(({ id }) => id),
  )
  await analyze(database)
  await database.end()
  for (const standby of standbys) await standby.caughtUp(primary)
  for (const [count, { url }] of services.entries()) await areUsed(url, count)

  /** Reads, and records so many receipts a second beside, for a time. */
  async function measured({ url, pid }: Server, seconds: number, records: number): Promise<Outcome> {
    const pids = {
      primary: [await primary.pid()],
      standbys: await Promise.all(standbys.map(standby => standby.pid())),
      api: [pid],
    }
    const isOver = new AbortController()
    const recording = (async () => {
      while (records > 0 && !isOver.signal.aborted) {
        await Promise.all([record(url, keys[0] ?? ''), sleep(1_000 / records)])
      }
    })()
    const requests = keys.map(key => ({
      method: 'POST' as const,
      path: '/graphql',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify({ query: documents.dashboard.query }),
    }))
    const before = await cpuSeconds(pids)
    const result = await autocannon({ url, requests, connections, duration: seconds })
    const after = await cpuSeconds(pids)
    isOver.abort()
    await recording
    if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} reads failed`)
    return {
      perSecond: result.requests.total / result.duration,
      reads: result.requests.total,
      cpu: used(before, after),
    }
  }

  console.log(
    `${availableParallelism()} cores, on which primary, standbys, API and load run; ${documents.dashboard.title}`,
  )
  for (const records of [0, Number(flags.records)]) {
    const outcomes: Outcome[][] = services.map(() => [])
    for (const service of services) await measured(service, 2, records)
    for (let round = 0; round < Number(flags.rounds); round++)
      for (const [count, service] of services.entries())
        outcomes[count]?.push(await measured(service, Number(flags.seconds), records))
    console.log(records === 0 ? 'reads alone' : `while ${records} receipts a second are recorded`)
    for (const [count, of] of outcomes.entries()) {
      const each = Object.keys(of[0]?.cpu ?? {}).map(name => {
        const ms = of.map(({ cpu, reads }) => ((cpu[name] ?? 0) * 1_000) / reads)
        return `${name} ${median(ms).toFixed(3)}`
      })
      const rates = of.map(({ perSecond }) => perSecond.toFixed(0)).join(', ')
      console.log(`       ${count} standbys: ${rates} reads a second; ms of CPU for each: ${each.join(', ')}`)
    }
  }
} finally {
  for (const service of services) await service.stop()
  await servers.stop()
  await chain.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Waits until a process uses so many standbys. */
async function areUsed(url: string, count: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`, { headers: { 'X-API-Key': adminKey } })).text()
    if ((text.match(/^quittance_standby_used\{.*\} 1$/gm) ?? []).length === count) return
    await sleep(100)
  }
}
