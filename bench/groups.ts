// Measures groups of receipts among 10⁶: the service, PostGraphile 5 with pg-aggregates and hand-written SQL over the
// same rows, one after the other. `node bench/groups.ts 100000` takes fewer receipts.
import { existsSync } from 'node:fs'
import pg from 'pg'
import { inBench, median } from './kit.ts'
import { projectsIn, seed } from './seed.ts'

const size = Number(process.argv[2] ?? 1_000_000)
const times = 15

type Case = {
  title: string
  goalMs: number | null
  query: string
  postgraphile: string | null
  /** Takes the project alone. */
  sql: string
}

const searched = (title: string, text: string, sql: string): Case => ({
  ...{ title: `search: ${title}`, goalMs: 10, postgraphile: null },
  query: `{ search(text: "${text}", first: 10) { match node { id } } }`,
  sql: `select id from receipts where project_id = $1 and ${sql} order by created_at desc limit 10`,
})

const theirs = (groupBy: string) => `query ($id: UUID!) {
  allReceipts(condition: { projectId: $id }) { groupedAggregates(groupBy: [${groupBy}]) { keys sum { amount } distinctCount { rowId } } } }`
const year = { since: '2025-10-31T23:00:00Z', until: '2026-10-31T22:59:59.999Z' }
const inYear = `created_at >= '${year.since}' and created_at <= '${year.until}'`
const ours = (by: string, more = '') => `{ receiptStats(by: ${by}, first: 10000${more}) {
  totalCount nodes { key { status currency sender time { date } } count sums { currency count gross } } } }`
const hand = (by: string, where = 'true') => `select ${by}, currency, count(*),
  coalesce(sum(amount) filter (where refund_of_id is null and status <> 'failed'), 0)
  from receipts where project_id = $1 and ${where} group by ${by}, currency`
const filter = `, filter: { createdAt: { since: "${year.since}", until: "${year.until}" } }`

const cases: Case[] = [
  {
    ...{ title: 'by status and currency', goalMs: 50, query: ours('[{ status: true }, { currency: true }]') },
    ...{ postgraphile: theirs('STATUS, CURRENCY'), sql: hand('status') },
  },
  {
    ...{
      title: 'by month and status, all times',
      goalMs: 50,
      query: ours('[{ time: { unit: MONTH } }, { status: true }]'),
    },
    postgraphile: null,
    sql: hand(`date_trunc('month', created_at), status`),
  },
  {
    title: 'a year by day in Europe/Berlin, in each currency',
    goalMs: 20,
    query: ours('{ time: { unit: DAY, timeZone: "Europe/Berlin" } }', filter),
    // It has neither ranges of time nor zones without further plugins.
    postgraphile: null,
    sql: hand(`date_trunc('day', created_at, 'Europe/Berlin')`, inYear),
  },
  {
    title: 'a year by day in Asia/Kathmandu, in each currency',
    goalMs: null,
    query: ours('{ time: { unit: DAY, timeZone: "Asia/Kathmandu" } }', filter),
    postgraphile: null,
    sql: hand(`date_trunc('day', created_at, 'Asia/Kathmandu')`, inYear),
  },
  {
    title: 'all times by day in UTC, in each currency',
    goalMs: null,
    query: ours('{ time: { unit: DAY } }'),
    postgraphile: theirs('CREATED_AT_TRUNCATED_TO_DAY, CURRENCY'),
    sql: hand(`date_trunc('day', created_at, 'UTC')`),
  },
  {
    title: 'the ten largest senders',
    goalMs: null,
    query: ours('{ sender: true }', ', orderBy: { sum: { currency: "USDC", direction: DESC } }').replace('10000', '10'),
    postgraphile: theirs('SENDER_KEY'),
    sql: `select sender_key, sum(amount) filter (where currency = 'USDC') from receipts where project_id = $1 group by 1 order by 2 desc nulls last limit 10`,
  },
  searched('a part of a reference that one receipt has', 'R-500000-', "reference ilike '%r-500000-%'"),
  searched('a part of a reference that most receipts have', 'order', "reference ilike '%order%'"),
  searched('in other letters', 'счёт 5000', "reference ilike '%Счёт 5000%'"),
  searched('a hash that no receipt has', `0x${'9'.repeat(64)}`, `tx_key = '0x${'9'.repeat(64)}'`),
]

await inBench(async ({ serve, databaseUrl }) => {
  const service = await serve('src/main.ts', { ROLES: 'api' })
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const { large, others, keys } = await projectsIn(database, service.url)
    await seed(database, size, large, others)
    const installed = existsSync('bench/postgraphile/node_modules')
    const postgraphile = installed ? await serve('bench/postgraphile/server.js', { NODE_ENV: 'production' }) : null
    const post = async (url: string, body: object, headers: object = {}) => {
      const request = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }
      const text = await (await fetch(`${url}/graphql`, request)).text()
      if (text.includes('"errors"')) throw new Error(text.slice(0, 500))
      return text
    }
    for (const { title, goalMs, query, postgraphile: other, sql } of cases) {
      const works: Record<string, (() => Promise<unknown>) | null> = {
        service: () => post(service.url, { query }, { 'X-API-Key': keys.large }),
        PostGraphile:
          postgraphile && other ? () => post(postgraphile.url, { query: other, variables: { id: large } }) : null,
        'hand-written SQL': () => database.query(sql, [large]),
      }
      const taken = new Map<string, number[]>()
      for (let round = 0; round < times; round++)
        for (const [name, work] of Object.entries(works)) {
          if (!work) continue
          const began = performance.now()
          await work()
          taken.set(name, [...(taken.get(name) ?? []), performance.now() - began])
        }
      const shown = [...taken].map(
        ([name, all]) =>
          `${name} ${median(all).toFixed(1)} ms (${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)})`,
      )
      const own = median(taken.get('service') ?? [])
      console.log(`${goalMs === null ? '    ' : own <= goalMs ? 'ok  ' : 'slow'} ${title}: ${shown.join('; ')}`)
      if (goalMs !== null && own > goalMs) process.exitCode = 1
    }
  } finally {
    await database.end()
  }
})
