// The number of receipts in a list: from the counters that are kept with the writes where the list is filtered by
// nothing that they do not tell apart, else by counting.
import type { App, Context } from '../../kit/context.ts'
import { type Count, counted } from '../../kit/counting.ts'
import { countCost, counterCost } from '../../kit/field-cost.ts'
import { conditionOn } from '../../kit/sql/where.ts'
import { type ReceiptList, receiptQuery } from './filter.ts'

/** `visible`: the receipts that the caller may see. Errors: `validation_failed`, `too_many_requests`, `caller_gone`. */
export function totalOf(context: Context, visible: { projectId?: string }, list: ReceiptList): Promise<number> {
  const where = { AND: [visible, receiptQuery(list).where] }
  const counters = countersOf(list)
  if (counters !== null) return counted(context, () => read(context, 'sum(count)', counters, where))
  context.allowance.spend(countCost - counterCost)
  return counted(context, () => read(context, 'count(*)', 'receipts', where))
}

/** Returns the table of counters with the columns of the list's conditions, under the same names. */
export const countersOf = (list: ReceiptList): string | null => (areCounted(list) ? 'receipt_counts' : null)

function areCounted({ filter, orderBy }: ReceiptList): boolean {
  const { statuses, chains, currencies, projectId, ...others } = filter ?? {}
  // In that order, receipts that are not anchored are left out.
  return orderBy?.field !== 'anchored_at' && Object.values(others).every(isOpen)
}

/** A range without ends, as a REST route without parameters has it, selects nothing. */
const isOpen = (condition: unknown): boolean =>
  condition == null || (typeof condition === 'object' && Object.values(condition).every(end => end == null))

async function read({ pool }: App, total: string, table: string, where: object): Promise<Count> {
  const { sql, values } = conditionOn(table, 'Receipt', where)
  const { rows } = await pool.query<Count>(
    `select coalesce(${total}, 0)::float8 as total, count(*)::float8 as read from ${table} where ${sql}`,
    values,
  )
  return rows[0] ?? { total: 0, read: 0 }
}

/** Adds up the counters that changes have left since the last time. Safe at any time, in any number of processes. */
export async function addUpCounters({ pool }: App): Promise<void> {
  await pool.query(
    `with several as (
       select project_id, chain, currency, status from receipt_counts group by 1, 2, 3, 4 having count(*) > 1
     ), taken as (
       delete from receipt_counts c using several s
       where (c.project_id, c.chain, c.currency, c.status) = (s.project_id, s.chain, s.currency, s.status)
       returning c.project_id, c.chain, c.currency, c.status, c.count, c.amount
     )
     insert into receipt_counts (project_id, chain, currency, status, count, amount)
     select project_id, chain, currency, status, sum(count), sum(amount) from taken
     group by 1, 2, 3, 4 having sum(count) <> 0 or sum(amount) <> 0`,
  )
}
