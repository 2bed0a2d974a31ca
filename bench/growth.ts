// Shows that the service is as fast with many receipts as with few: fills a database with 10,000 and with 1,000,000
// receipts, runs the lists with each filter and order and the hot work, and explains the statements that the service
// sends. A number as argument replaces the larger size. Fails when a plan reads a large table from end to end. The
// time of a total that no counter has grows with what it counts: for totals the bench shows which read rows of a table.
import pg from 'pg'
import { start } from '../src/app.ts'
import { readEnv } from '../src/env.ts'
import { type Case, casesOf, documents, fieldOf, type List, type Samples, totals } from './growth/cases.ts'
import { explain, type Seen, statementsOf } from './growth/explain.ts'
import { hotWork } from './growth/hot.ts'
import { adminKey, inBench, roomForAll } from './kit.ts'
import { printSizes, projectsIn, seed } from './seed.ts'

const sizes = [10_000, Number(process.argv[2] ?? 1_000_000)]
const mostRatio = 1.5
// Below this time, what is measured is noise.
const soonMs = 0.15

const samples = async (database: pg.Client, large: string): Promise<Samples> => {
  const { rows } = await database.query(
    `select id, sender_wallet as sender, reference, tip_tx_hash as tx, bundle_hash as bundle, ledger_txid as anchor,
       (select receiver_wallet from receipts group by 1 order by count(*) desc limit 1) as hub
     from receipts where project_id = $1 order by created_at limit 1`,
    [large],
  )
  const { rows: payers } = await database.query('select payer from payments where project_id = $1 limit 1', [large])
  const { rows: audited } = await database.query(
    'select object_id as "objectId" from audit_events where project_id = $1 order by id limit 1',
    [large],
  )
  return { receipt: rows[0], ...payers[0], ...audited[0] }
}

await inBench(async ({ databaseUrl, folder }) => {
  // Not even errors are logged, because the limiter reports some while the seed drops the keys of its table.
  const running = await start(
    readEnv({
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', ADMIN_API_KEYS: adminKey, LOG_LEVEL: 'silent' },
      ...{ RATE_LIMITS: roomForAll, FX_ECB_URL: 'off', NODE_ENV: 'test', ROLES: 'api' },
    }),
  )
  const base = running.url ?? ''
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const { large, others, keys } = await projectsIn(database, base)
    const send = async (key: string, query: string, variables: object = {}) => {
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
      const body = JSON.stringify({ query, variables })
      const { data, errors } = await (await fetch(`${base}/graphql`, { method: 'POST', headers, body })).json()
      if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`)
      return data
    }
    const ask = (key: string, list: List, variables: object) => send(key, documents[list], variables)
    const measure = async (name: string, work: () => Promise<unknown>, tables?: string[]): Promise<Seen> => {
      const statements = await statementsOf(work, tables)
      if (statements.length === 0) throw new Error(`no statement was sent: ${name}`)
      const plans: Seen[] = []
      for (const statement of statements) plans.push(await explain(running.app, statement))
      return {
        indexes: [...new Set(plans.flatMap(({ indexes }) => indexes))],
        scanned: plans.flatMap(({ scanned }) => scanned),
        tables: plans.flatMap(({ tables }) => tables),
        ms: plans.reduce((sum, { ms }) => sum + ms, 0),
      }
    }
    const page = async (key: string, { list, variables, afterTimes, document }: Case): Promise<Seen> => {
      const before = afterTimes && (await ask(key, list, { filter: afterTimes }))
      const after = before?.[fieldOf[list]].edges[0].cursor
      if (document !== undefined) return measure(list, () => send(key, document, variables), [list])
      return measure(list, () => ask(key, list, { ...variables, after }))
    }

    const seen = new Map<string, Seen[]>()
    const note = (name: string, one: Seen) => seen.set(name, [...(seen.get(name) ?? []), one])
    for (const size of sizes) {
      const began = performance.now()
      await seed(database, size, large, others)
      console.log(`seeded ${size} receipts in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
      const found = await samples(database, large)
      for (const one of casesOf(found)) {
        for (const [owner, key] of Object.entries(keys))
          note(`${one.list}, ${owner} project, ${one.name}`, await page(key, one))
      }
      for (const { list, name, variables, document, countsByScan } of casesOf(found)) {
        if (variables.filter === undefined || document !== undefined) continue
        const total = await measure(list, () => send(keys.large, totals[list], variables))
        note(`total of ${list}, ${name}`, countsByScan ? { ...total, scanned: [] } : total)
      }
      for (const { name, work, tables } of hotWork(running.app, base, { large, keys, receipt: found.receipt }))
        note(name, await measure(name, work, tables))
      for (const by of ['time: { unit: DAY }', 'status: true', 'currency: true', 'chain: true']) {
        const filter = by.startsWith('time') ? '{ createdAt: { since: "2026-01-01" } }' : '{}'
        const stats = `{ receiptStats(by: { ${by} }, filter: ${filter}, first: 1000) { nodes { count anchoring { p95 } sums { gross } } } }`
        const began = performance.now()
        const groups: { count: number }[] = (await send(keys.large, stats)).receiptStats.nodes
        const count = groups.reduce((sum, group) => sum + group.count, 0)
        console.log(`       receiptStats by ${by} adds up ${count} in ${(performance.now() - began).toFixed(0)} ms`)
      }
    }
    await printSizes(database, sizes.at(-1) ?? 0)
    let faults = 0
    for (const [name, [few, many]] of seen) {
      if (!few || !many) continue
      faults += many.scanned.length
      const isSteady = many.ms <= soonMs || many.ms / few.ms <= mostRatio
      const isTotal = name.startsWith('total of')
      const grows = isTotal ? many.tables.length > 0 && 'TABLE ' : !isSteady && 'GROWS '
      const verdict = many.scanned.length > 0 ? 'SCAN  ' : grows || 'ok    '
      const times = `${few.ms.toFixed(2)} ms, ${many.ms.toFixed(2)} ms, ratio ${(many.ms / few.ms).toFixed(1)}`
      console.log(`${verdict} ${name}: ${times}; ${[...many.scanned, ...many.indexes].join(', ')}`)
    }
    if (faults > 0) throw new Error(`${faults} plans read a table from end to end`)
  } finally {
    await database.end()
    await running.stop()
  }
})
