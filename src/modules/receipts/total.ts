// The number of receipts in a list. It comes from counters if the filter names only project, chain, currency and
// status; otherwise the receipts are counted. A count by wallets, or of receipts without a refund, is put together
// from two parts, so that an index alone can answer each.
import { addressKey } from '../../core/identity.ts'
import type { App, Context } from '../../kit/context.ts'
import { type Count, counted } from '../../kit/counting.ts'
import { countCost, counterCost } from '../../kit/field-cost.ts'
import { conditionOn, type Statement } from '../../kit/sql/index.ts'
import { ownStatement, valuesOf } from '../../kit/sql-host.ts'
import { type ReceiptFilter, type ReceiptList, receiptQuery } from './filter.ts'

/** `visible`: the receipts that the caller may see. Errors: `validation_failed`, `too_many_requests`, `caller_gone`. */
export function totalOf(context: Context, visible: { projectId?: string }, list: ReceiptList): Promise<number> {
  const statement = ownStatement()
  const text = countSql(statement, visible, list, context)
  if (countersOf(list) === null) context.allowance.spend(countCost - counterCost)
  return counted(context, async () => {
    const { rows } = await context.pool.query<Count>(text, valuesOf(statement))
    return rows[0] ?? { total: 0, read: 0 }
  })
}

/** Returns a query of one row: the total, and how many rows were read for it. */
function countSql(statement: Statement, visible: object, list: ReceiptList, app: Pick<App, 'chainAliases'>): string {
  const { wallets, hasRefund, ...others } = list.filter ?? {}
  const without = (filter: ReceiptFilter) => countSql(statement, visible, { ...list, filter }, app)
  const where = (table: string, { filter, orderBy }: ReceiptList, and: object = {}) =>
    conditionOn(statement, table, 'Receipt', { AND: [visible, receiptQuery({ filter, orderBy }, app).where, and] })
  // Few receipts have a refund, and only these have an index.
  if (hasRefund === false) {
    const [all, refunded] = [without({ ...others, wallets }), without({ ...others, wallets, hasRefund: true })]
    return `select a.total - b.total as total, a.read + b.read as read from (${all}) a, (${refunded}) b`
  }
  if (wallets) {
    const rest = { ...list, filter: { ...others, hasRefund } }
    const [sent, received] = ['senderKey', 'receiverKey'].map(
      side => `(select id from receipts where ${where('receipts', rest, { [side]: { in: wallets.map(addressKey) } })})`,
    )
    // Each receipt once, also between two of these wallets.
    return `select count(*)::float8 as total, (count(a.id) + count(b.id))::float8 as read
      from ${sent} a full join ${received} b using (id)`
  }
  const counters = countersOf(list)
  const [total, table] = counters === null ? ['count(*)', 'receipts'] : ['coalesce(sum(count), 0)', counters]
  return `select ${total}::float8 as total, count(*)::float8 as read from ${table} where ${where(table, list)}`
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

/** Adds up the counters that changes have left since the last time. Safe at any time, in any number of processes. */
export async function addUpCounters({ pool }: App): Promise<void> {
  await pool.query(
    `with several as (
       select project_id, chain, chain_key, currency, status from receipt_counts group by 1, 2, 3, 4, 5 having count(*) > 1
     ), taken as (
       delete from receipt_counts c using several s
       where (c.project_id, c.chain, c.chain_key, c.currency, c.status) = (s.project_id, s.chain, s.chain_key, s.currency, s.status)
       returning c.project_id, c.chain, c.chain_key, c.currency, c.status, c.count, c.amount
     )
     insert into receipt_counts (project_id, chain, chain_key, currency, status, count, amount)
     select project_id, chain, chain_key, currency, status, sum(count), sum(amount) from taken
     group by 1, 2, 3, 4, 5 having sum(count) <> 0 or sum(amount) <> 0`,
  )
}
