// Records the payments of agents as receipts by itself, every minute: the pipeline seals and anchors them like any other.
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { inVerbTransaction } from '../../kit/verb.ts'
import { receiptFor } from '../payment-records/record.ts'

// The next run, a minute later, takes the rest.
const most = 500

// Payments without a receipt of agents that want theirs recorded. Each agent's range of the index is read by itself: joined
// plainly, all payments without a receipt are.
const unrecorded = `
  select distinct p.id, p.settled_at
  from agents a
  cross join lateral (
    select id, settled_at from payments
    where payer = a.wallet_address and project_id = a.project_id
      and receipt_id is null and record_failure is null and status in ('settled', 'delivered')
      and settled_at >= case when a.auto_anchor_enabled then '-infinity' else a.anchor_payments_since end
    order by settled_at limit ${most}
  ) p
  where a.deleted_at is null and (a.auto_anchor_enabled or a.anchor_payments_since is not null)
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
