// The number of receipts in a list. A count by wallets, or of what most receipts are, is put together from two parts,
// so that an index alone can answer each.
import { addressKey } from '../../core/identity.ts'
import type { App, Context } from '../../kit/context.ts'
import { type Count, counted } from '../../kit/counting.ts'
import { countCost, counterCost } from '../../kit/field-cost.ts'
import { conditionOn, type Statement } from '../../kit/sql/index.ts'
import { ownStatement, valuesOf } from '../../kit/sql-host.ts'
import { receipts, tableOf } from './counters.ts'
import { type ReceiptFilter, type ReceiptList, receiptQuery } from './filter.ts'

/** `visible`: the receipts that the caller may see. Errors: `validation_failed`, `too_many_requests`, `caller_gone`. */
export function totalOf(context: Context, visible: { projectId?: string }, list: ReceiptList): Promise<number> {
  const statement = ownStatement()
  const text = countSql(statement, visible, list, context)
  if (tableOf(list) === receipts) context.allowance.spend(countCost - counterCost)
  return counted(context, async () => {
    const { rows } = await context.pool.query<Count>(text, valuesOf(statement))
    return rows[0] ?? { total: 0, read: 0 }
  })
}

/** The values that most receipts have. Only the others have an index. */
const usual = { hasRefund: false, isRefund: false, isSettled: true }

/** Returns a query of one row: the total, and how many rows were read for it. */
function countSql(statement: Statement, visible: object, list: ReceiptList, app: Pick<App, 'chainAliases'>): string {
  const { wallets, ...others } = list.filter ?? {}
  const without = (filter: ReceiptFilter) => countSql(statement, visible, { ...list, filter }, app)
  const where = (table: string, { filter, orderBy }: ReceiptList, and: object = {}) =>
    conditionOn(statement, table, 'Receipt', { AND: [visible, receiptQuery({ filter, orderBy }, app).where, and] })
  for (const [name, most] of Object.entries(usual)) {
    if (list.filter?.[name as keyof typeof usual] !== most) continue
    const [all, few] = [without({ ...list.filter, [name]: null }), without({ ...list.filter, [name]: !most })]
    return `select a.total - b.total as total, a.read + b.read as read from (${all}) a, (${few}) b`
  }
  if (wallets) {
    const rest = { ...list, filter: others }
    const [sent, received] = ['senderKey', 'receiverKey'].map(
      side => `(select id from receipts where ${where('receipts', rest, { [side]: { in: wallets.map(addressKey) } })})`,
    )
    // Each receipt once, also between two of these wallets.
    return `select count(*)::float8 as total, (count(a.id) + count(b.id))::float8 as read
      from ${sent} a full join ${received} b using (id)`
  }
  const { name, count } = tableOf(list)
  return `select (${count})::float8 as total, count(*)::float8 as read from ${name} where ${where(name, list)}`
}
