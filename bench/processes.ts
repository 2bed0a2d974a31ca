// Measures what more processes bring: one API process and one worker against two of each, on one PostgreSQL; receipts
// recorded to anchored, and nested reads. Prints the CPU time of each part for an operation, from which docs/scale.md
// calculates what a machine with more cores reaches. --receipts and --seconds shorten the run.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { pino } from 'pino'
import { startChain } from '../src/embedded/chain.ts'
import { cpuSeconds, embeddedPids, used } from './cpu.ts'
import { anchoringOn, inBench, projectKey, record, type Server } from './kit.ts'
import { documents } from './nested/documents.ts'
import { type Outcome, print } from './processes/outcome.ts'

const { values: flags } = parseArgs({
  options: {
    receipts: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
})
const receipts = Number(flags.receipts)
const connections = 32
const projects = 8

await inBench(async ({ serve, databaseUrl, folder }) => {
  const chain = await startChain(join(folder, 'chain'), pino({ level: 'silent' }))
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const env = {
      ...anchoringOn(chain),
    }
    const start = (role: string) => serve('src/main.ts', { ...env, ROLES: role })
    const running: Record<string, Server> = { api1: await start('api'), worker1: await start('worker') }
    const keys: string[] = []
    for (let project = 0; project < projects; project++) keys.push(await projectKey(running.api1?.url ?? ''))
    const urls = () => Object.entries(running).flatMap(([name, { url }]) => (name.startsWith('api') ? [url] : []))

    /** Runs `work` while CPU time and locks are watched. */
    async function watched(work: () => Promise<number>): Promise<Outcome> {
      const { postgres, chain } = await embeddedPids(folder)
      const own = Object.entries(running).map(([name, { pid }]) => [name, [pid]] as const)
      const pids = { database: postgres, chain, ...Object.fromEntries(own) }
      const waits: number[] = []
      const isOver = new AbortController()
      const watching = (async () => {
        while (!isOver.signal.aborted) {
          const { rows } = await database.query<{ count: number }>(
            `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'`,
          )
          waits.push(rows[0]?.count ?? 0)
          await sleep(100)
        }
      })()
      const [before, began] = [await cpuSeconds(pids), performance.now()]
      const operations = await work()
      const perSecond = operations / ((performance.now() - began) / 1_000)
      const after = await cpuSeconds(pids)
      isOver.abort()
      await watching
      const waiting = waits.reduce((sum, count) => sum + count, 0) / waits.length
      return { perSecond, operations, cpu: used(before, after), waiting }
    }

    async function anchored(count: number): Promise<number> {
      const ids: string[] = []
      let next = 0
      const one = async () => {
        for (let index = next++; index < count; index = next++) {
          ids.push(await record(urls()[index % urls().length] ?? '', keys[index % keys.length] ?? ''))
        }
      }
      await Promise.all(Array.from({ length: connections * 2 }, one))
      const open = `select from receipts where id = any($1::uuid[]) and status <> 'anchored' limit 1`
      while ((await database.query(open, [ids])).rowCount !== 0) await sleep(50)
      return count
    }

    async function read(seconds: number): Promise<number> {
      const { query } = documents.dashboard
      const requests = keys.map(key => ({
        method: 'POST' as const,
        path: '/graphql',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
        body: JSON.stringify({ query }),
      }))
      const results = await Promise.all(
        urls().map(url => autocannon({ url, requests, connections: connections / urls().length, duration: seconds })),
      )
      for (const { non2xx, errors } of results)
        if (non2xx + errors > 0) throw new Error(`${non2xx + errors} reads failed`)
      return results.reduce((sum, { requests }) => sum + requests.total, 0)
    }

    const seen = { one: { anchored: [], read: [] }, two: { anchored: [], read: [] } } as Record<
      'one' | 'two',
      Record<'anchored' | 'read', Outcome[]>
    >
    const measure = async (into: Record<'anchored' | 'read', Outcome[]>) => {
      // Processes that have just started compile their code first.
      await anchored(200)
      await read(1)
      into.anchored.push(await watched(() => anchored(receipts)))
      into.read.push(await watched(() => read(Number(flags.seconds))))
    }
    await database.query('analyze')
    for (let round = 0; round < Number(flags.rounds); round++) {
      await measure(seen.one)
      Object.assign(running, { api2: await start('api'), worker2: await start('worker') })
      await measure(seen.two)
      for (const name of ['api2', 'worker2']) {
        await running[name]?.stop()
        delete running[name]
      }
    }
    console.log(`${availableParallelism()} cores, on which the load is made too`)
    print('recorded to anchored', seen.one.anchored, seen.two.anchored)
    print('nested reads', seen.one.read, seen.two.read)
  } finally {
    await database.end()
    await chain.stop()
  }
})
