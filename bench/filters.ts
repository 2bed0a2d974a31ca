// Shows that an index serves each filter and order: runs the lists at 10,000 and at 1,000,000 rows, and explains the
// statements that the service sends. A number as argument replaces the larger size. Fails when a plan reads a table
// from end to end.
import pg from 'pg'
import { start } from '../src/app.ts'
import { readEnv } from '../src/env.ts'
import { type Case, casesOf, documents, fieldOf, type List, type Samples } from './filters/cases.ts'
import { seed } from './filters/seed.ts'
import { adminKey, inBench, median, projectKey, roomForAll } from './kit.ts'

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
type Seen = { indexes: string[]; scanned: string[]; ms: number }
type Statement = { text: string; values: unknown[] }

const sizes = [10_000, Number(process.argv[2] ?? 1_000_000)]
const tables = Object.keys(documents)

const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)]

/** Runs `work` and returns the statements on the tables of lists that were sent meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [config] = args as unknown as [Statement]
    const isList = typeof config === 'object' && /^select/i.test(config.text ?? '')
    if (isList && tables.some(table => config.text.includes(`FROM "public"."${table}"`))) sent.push(config)
    return (query as (...args: never[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

async function explain(database: pg.Client, { text, values }: Statement): Promise<Seen> {
  const plans: { Plan: Plan; 'Execution Time': number }[] = []
  for (let round = 0; round < 4; round++) {
    const { rows } = await database.query({ text: `explain (analyze, timing off, format json) ${text}`, values })
    plans.push(rows[0]['QUERY PLAN'][0])
  }
  const nodes = plans.flatMap(({ Plan }) => all(Plan))
  const isScan = (node: Plan) => node['Node Type'] === 'Seq Scan' && tables.includes(node['Relation Name'] ?? '')
  return {
    indexes: [...new Set(nodes.flatMap(node => node['Index Name'] ?? []))],
    scanned: [...new Set(nodes.filter(isScan).map(node => node['Relation Name'] ?? ''))],
    // The first round may read from the disk.
    ms: median(plans.slice(1).map(plan => plan['Execution Time'])),
  }
}

const samples = async (database: pg.Client, large: string): Promise<Samples> => {
  const { rows } = await database.query(
    `select sender_wallet as sender, reference, tip_tx_hash as tx, bundle_hash as bundle,
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
  const running = await start(
    readEnv({
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', ADMIN_API_KEYS: adminKey, LOG_LEVEL: 'error' },
      ...{ RATE_LIMITS: roomForAll, FX_ECB_URL: 'off', NODE_ENV: 'test', ROLES: 'api' },
    }),
  )
  const base = running.url ?? ''
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const keys = { large: await projectKey(base), small: await projectKey(base) }
    for (let other = 2; other < 20; other++) await projectKey(base)
    const { rows: projects } = await database.query<{ id: string }>('select id from projects order by created_at, id')
    const [large = '', ...others] = projects.map(({ id }) => id)

    const send = async (key: string, query: string, variables: object = {}) => {
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': key }
      const body = JSON.stringify({ query, variables })
      const { data, errors } = await (await fetch(`${base}/graphql`, { method: 'POST', headers, body })).json()
      if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`)
      return data
    }
    const ask = (key: string, list: List, variables: object) => send(key, documents[list], variables)
    const measure = async (key: string, { list, variables, afterTimes }: Case): Promise<Seen> => {
      const before = afterTimes && (await ask(key, list, { filter: afterTimes }))
      const after = before?.[fieldOf[list]].edges[0].cursor
      const statements = await statementsOf(() => ask(key, list, { ...variables, after }))
      if (statements.length === 0) throw new Error(`no statement reads ${list}`)
      const plans: Seen[] = []
      for (const statement of statements) plans.push(await explain(database, statement))
      return {
        indexes: plans.flatMap(({ indexes }) => indexes),
        scanned: plans.flatMap(({ scanned }) => scanned),
        ms: plans.reduce((sum, { ms }) => sum + ms, 0),
      }
    }

    const seen = new Map<string, Seen[]>()
    for (const size of sizes) {
      const began = performance.now()
      await seed(database, size, large, others)
      console.log(`seeded ${size} rows in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
      for (const one of casesOf(await samples(database, large))) {
        for (const [owner, key] of Object.entries(keys)) {
          const name = `${one.list}, ${owner} project, ${one.name}`
          seen.set(name, [...(seen.get(name) ?? []), await measure(key, one)])
        }
      }
      for (const by of ['DAY', 'STATUS', 'CURRENCY', 'CHAIN']) {
        const filter = by === 'DAY' ? '{ createdAt: { since: "2026-01-01" } }' : '{}'
        const stats = `{ receiptStats(by: ${by}, filter: ${filter}) { count anchoring { p95 } sums { amount } } }`
        const began = performance.now()
        const groups: { count: number }[] = (await send(keys.large, stats)).receiptStats
        const count = groups.reduce((sum, group) => sum + group.count, 0)
        console.log(`       receiptStats by ${by} adds up ${count} in ${(performance.now() - began).toFixed(0)} ms`)
      }
    }
    let faults = 0
    for (const [name, [few, many]] of seen) {
      if (!few || !many) continue
      faults += many.scanned.length
      const verdict = many.scanned.length === 0 ? 'ok    ' : 'SCAN  '
      const times = `${few.ms.toFixed(2)} ms, ${many.ms.toFixed(2)} ms, ratio ${(many.ms / few.ms).toFixed(1)}`
      console.log(`${verdict} ${name}: ${times}; ${many.indexes.join(', ')}`)
    }
    if (faults > 0) throw new Error(`${faults} plans read a table from end to end`)
  } finally {
    await database.end()
    await running.stop()
  }
})
