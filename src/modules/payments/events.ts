// The events of payments: each change of a payment's status.
import type { PaymentChange } from '../../core/event-types.ts'
import type { Transaction } from '../../kit/transaction.ts'

export const paymentEvent = (
  { id, projectId }: { id: string; projectId: string | null },
  status: PaymentChange,
): Parameters<Transaction['event']>[0] => ({ type: `payment.${status}`, projectId, paymentId: id })

/** Inserts an event for each row of `changed` (id, project_id, status), in a statement that is a transaction of its own. */
export const logged = (changed: string) =>
  `insert into events (type, project_id, payment_id) select 'payment.' || status, project_id, id from ${changed}`
