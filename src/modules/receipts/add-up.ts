// Adds up receipts in groups. Prisma has neither percentiles nor days, so this is SQL, with the conditions of the list.
import { invalid } from '../../core/errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../kit/context.ts'
import { addingUp } from '../../kit/counting.ts'
import { type CountTable, conditionOn } from '../../kit/sql/index.ts'
import { ownStatement, valuesOf } from '../../kit/sql-host.ts'
import { receipts, tableOf } from './counters.ts'
import type { ReceiptList } from './filter.ts'

export type ReceiptGroup = {
  key: string | null
  count: number
  /** Seconds; null while none is anchored. */
  p50: number | null
  p95: number | null
  sums: { currency: string; count: number; amount: string }[]
}

/**
 * `of`: what the receipts of a group have in common; `text`: its key. A chain is shown by one of the names that its
 * receipts have.
 */
const keys = {
  day: { of: `(created_at at time zone 'UTC')::date`, text: `to_char(grouped::timestamp, 'YYYY-MM-DD')` },
  status: { of: 'status', text: 'upper(grouped::text)' },
  currency: { of: 'currency', text: 'grouped' },
  chain: { of: 'chain_key', text: 'name', name: 'chain' },
  all: { of: `''`, text: 'null::text' },
}
export type GroupedBy = keyof typeof keys
type Key = { of: string; text: string; name?: string }

const mostRows = 1_000_000
/** Pairs of a group and a currency. */
export const mostSums = 1_000
// A million rows take one to two seconds of a core.
export const rowsPerUnit = 100
export const sumsPerUnit = 2

/** `times`: whether the percentiles are asked for. */
export type Sums = { by: GroupedBy; times: boolean; table: CountTable }

/** Returns the sums of the receipts that meet the filter, from the counters where they tell the groups apart. */
export const sumsOf = (filter: ReceiptList['filter'], by: GroupedBy, times: boolean): Sums => ({
  by,
  times,
  table: by === 'day' || times ? receipts : tableOf({ filter }),
})

const countSql = ({ name }: CountTable, where: string) => `
  select count(*)::int as count from (select from ${name} where ${where} limit ${mostRows + 1}) as counted`

/**
 * Returns common table expressions: `sums` for each pair of a group and a currency, with how many rows were read for
 * it, and where `times` are asked for, `waits` for each group. `rows`: the rows of the table, as a select of the
 * columns that it gets.
 */
export function summed({ by, times, table }: Sums, rows: (columns: string) => string): string {
  // The time of a block may be a little before the clock of this service.
  const seconds = `case when anchored_at < created_at then 0 else extract(epoch from anchored_at - created_at)::float8 end`
  const { of, text, name }: Key = keys[by]
  // Grouped by the value itself, because the text of each receipt would take as long as adding it up.
  return `
  chosen as (${rows(`${of} as grouped, currency, amount${name ? `, ${name} as name` : ''}${times ? `, ${seconds} as seconds` : ''}${table === receipts ? '' : ', count'}`)}),
  sums as (
    select grouped, ${text} collate "C" as key, currency collate "C" as currency, count, amount, read from (
      select grouped, currency, ${name ? 'max(max(name collate "C")) over (partition by grouped) as name, ' : ''}${table.count} as count, sum(amount) as amount, count(*) as read
      from chosen group by grouped, currency having ${table.count} <> 0
    ) as pairs
  )${
    times
      ? `,
  waits as (
    select grouped, waits[1] as p50, waits[2] as p95 from (
      select grouped, percentile_cont(array[0.5, 0.95]) within group (order by seconds) as waits from chosen group by grouped
    ) as shares
  )`
      : ''
  }`
}

const sumsSql = (where: string, sums: Sums) => `
  with ${summed(sums, columns => `select ${columns} from ${sums.table.name} where ${where}`)}
  select key, ${sums.times ? 'p50, p95' : 'null as p50, null as p95'}, currency, count::int, amount::text
  from sums ${sums.times ? 'join waits using (grouped)' : ''} order by key, currency limit ${mostSums + 1}`

type Row = Pick<ReceiptGroup, 'key' | 'p50' | 'p95'> & ReceiptGroup['sums'][number]

/**
 * Percentiles that are not asked for are null. Errors: `validation_failed` for too many receipts or groups,
 * `too_many_requests`, `caller_gone`.
 */
export function addUp(context: Context, where: Prisma.ReceiptWhereInput, sums: Sums): Promise<ReceiptGroup[]> {
  const statement = ownStatement()
  const condition = conditionOn(statement, sums.table.name, 'Receipt', where)
  const values = valuesOf(statement)
  return addingUp(context, 'receipts', async sql => {
    const [{ count } = { count: 0 }] = await sql<{ count: number }>(countSql(sums.table, condition), values)
    if (count > mostRows) throw tooMuch(`${mostRows} receipts`)
    context.allowance.spend(Math.floor(count / rowsPerUnit))
    const rows = await sql<Row>(sumsSql(condition, sums), values)
    if (rows.length > mostSums) throw tooMuch(`${mostSums} pairs of a group and a currency`)
    context.allowance.spend(Math.floor(rows.length / sumsPerUnit))
    return grouped(rows)
  })
}

const tooMuch = (most: string) =>
  invalid([{ path: ['filter'], message: `Selects more than ${most}. Narrow it.`, type: 'too_long' }])

function grouped(rows: Row[]): ReceiptGroup[] {
  const groups = new Map<string | null, ReceiptGroup>()
  for (const { key, p50, p95, ...sum } of rows) {
    const group = groups.get(key) ?? { key, count: 0, p50, p95, sums: [] }
    group.count += sum.count
    group.sums.push(sum)
    groups.set(key, group)
  }
  return [...groups.values()]
}
