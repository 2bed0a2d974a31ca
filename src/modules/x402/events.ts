// Payment events: one for each change of a payment's status, and one when a receipt records the payment.
import type { PaymentChange } from '../../core/event-types.ts'
import type { Transaction } from '../../kit/transaction.ts'

export const paymentEvent = (
  { id, projectId }: { id: string; projectId: string | null },
  change: PaymentChange,
): Parameters<Transaction['event']>[0] => ({ type: `payment.${change}`, projectId, paymentId: id })

/**
 * SQL of the columns of an event, see `effects`, about a payment in this table or query. The transaction is kept with
 * the event, because another one may become the settlement.
 */
export const eventSql = (payments: string, change: PaymentChange) =>
  `'payment.${change}', ${payments}.project_id, null::uuid, ${payments}.id, null::uuid, null::uuid, null::receipt_status,
   null::text, ${payments}.txid, null::timestamptz, null::uuid, null::boolean, null::settlement_status`

/**
 * SQL that inserts an event for each row of `changed` (id, project_id, status), for statements outside a transaction.
 */
export const logged = (changed: string) =>
  `insert into events (type, project_id, payment_id) select 'payment.' || status, project_id, id from ${changed}`
