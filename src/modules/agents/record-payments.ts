// Records the payments of agents as receipts by itself, every minute: the pipeline seals and anchors them like any other.
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { inVerbTransaction } from '../../kit/verb.ts'
import { receiptFor } from '../payment-records/record.ts'

// The next run, a minute later, takes the rest.
const most = 500

// Of payments without a receipt those whose project has an agent that wants them recorded.
const unrecorded = `
  select distinct p.id, p.settled_at from payments p
  join agents a on a.wallet_address = p.payer and a.project_id = p.project_id and a.deleted_at is null
  where p.receipt_id is null and p.record_failure is null and p.status in ('settled', 'delivered')
    and (a.auto_anchor_enabled or p.settled_at >= a.anchor_payments_since)
  order by p.settled_at limit ${most}`

export async function recordAgentPayments(app: App): Promise<void> {
  const { rows } = await app.pool.query<{ id: string }>(unrecorded)
  for (const { id } of rows) await recordOne(app, id)
}

async function recordOne(app: App, paymentId: string): Promise<void> {
  try {
    await inVerbTransaction(app, tx => receiptFor(tx, paymentId, null, 'worker'))
  } catch (error) {
    // Such as a receipt of the project that says something else of it: it would be refused again every minute.
    if (!(error instanceof AppError) || error.retryAfterSeconds !== null) throw error
    app.log.warn({ err: error, payment: paymentId }, 'a payment of an agent cannot be recorded by itself')
    await app.pool.query('update payments set record_failure = $2 where id = $1', [paymentId, error.message])
  }
}
