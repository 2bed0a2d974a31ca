// Adds up receipts in groups. Prisma has neither percentiles nor days, so this is SQL, with the conditions of the list.
import { invalid } from '../../core/errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { addingUp } from '../../kit/adding-up.ts'
import type { Context } from '../../kit/context.ts'
import { conditionOn } from '../../kit/sql/where.ts'

export type ReceiptGroup = {
  key: string | null
  count: number
  /** Seconds; null while none is anchored. */
  p50: number | null
  p95: number | null
  sums: { currency: string; count: number; amount: string }[]
}

const keys = {
  day: `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`,
  status: 'upper(status::text)',
  currency: 'currency',
  chain: 'chain',
  all: `''`,
}
export type GroupedBy = keyof typeof keys

const mostReceipts = 1_000_000
const mostSums = 1_000
// A million receipts take one to two seconds of a core.
const receiptsPerUnit = 100

const countSql = (where: string) => `
  select count(*)::int as count from (select from receipts where ${where} limit ${mostReceipts + 1}) as counted`

// The time of a block may be a little before the clock of this service.
const sumsSql = (where: string, by: GroupedBy) => `
  with chosen as materialized (
    select ${keys[by]} collate "C" as key, currency collate "C" as currency, amount,
      case when anchored_at < created_at then 0 else extract(epoch from anchored_at - created_at)::float8 end as seconds
    from receipts where ${where}
  ), groups as (
    select key, count(*)::int as count, percentile_cont(array[0.5, 0.95]) within group (order by seconds) as waits
    from chosen group by key
  )
  select key, groups.count, waits[1] as p50, waits[2] as p95, currency, sum.count as "ofCurrency", amount
  from groups join (
    select key, currency, count(*)::int as count, sum(amount)::text as amount from chosen group by key, currency
  ) as sum using (key) order by key, currency limit ${mostSums + 1}`

type Row = Omit<ReceiptGroup, 'key' | 'sums'> & { key: string; currency: string; ofCurrency: number; amount: string }

/** Errors: `validation_failed` for too many receipts or groups, `too_many_requests`, `caller_gone`. */
export function addUp(context: Context, where: Prisma.ReceiptWhereInput, by: GroupedBy): Promise<ReceiptGroup[]> {
  const { sql: condition, values } = conditionOn('receipts', 'Receipt', where)
  return addingUp(context, 'receipts', async sql => {
    const [{ count } = { count: 0 }] = await sql<{ count: number }>(countSql(condition), values)
    if (count > mostReceipts) throw tooMuch(`${mostReceipts} receipts`)
    context.allowance.spend(count / receiptsPerUnit)
    const rows = await sql<Row>(sumsSql(condition, by), values)
    if (rows.length > mostSums) throw tooMuch(`${mostSums} pairs of a group and a currency`)
    return grouped(rows)
  })
}

const tooMuch = (most: string) =>
  invalid([{ path: ['filter'], message: `Selects more than ${most}. Narrow it.`, type: 'too_long' }])

function grouped(rows: Row[]): ReceiptGroup[] {
  const groups = new Map<string, ReceiptGroup>()
  for (const { key, count, p50, p95, currency, ofCurrency, amount } of rows) {
    const group = groups.get(key) ?? { key: key || null, count, p50, p95, sums: [] }
    group.sums.push({ currency, count: ofCurrency, amount })
    groups.set(key, group)
  }
  return [...groups.values()]
}
