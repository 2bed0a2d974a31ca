// Records the payments of agents as receipts, every minute. The pipeline seals and anchors them like any other receipt.
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { isMoving } from '../../kit/moving.ts'
import { inVerbTransaction } from '../../kit/verb.ts'
import { receiptFor, recordPayment } from '../payments/record.ts'

// The next run, a minute later, records the rest.
const most = 500

// Payments without a receipt, of agents with automatic recording. The lateral join reads each agent's index range
// separately, because a plain join would read all payments without a receipt.
const unrecorded = `
  select distinct p.id, p.settled_at
  from agents a
  cross join lateral (
    select id, settled_at from payments
    where payer = a.wallet_address and project_id = a.project_id
      and receipt_id is null and record_failure is null and final_at is not null and status in ('settled', 'delivered')
      and settled_at >= case when a.auto_anchor_enabled then '-infinity' else a.anchor_payments_since end
    order by settled_at limit ${most}
  ) p
  where a.deleted_at is null and not ${isMoving('a.project_id')} and (a.auto_anchor_enabled or a.anchor_payments_since is not null)
  order by p.settled_at limit ${most}`

export async function recordAgentPayments(app: App): Promise<void> {
  const { rows } = await app.pool.query<{ id: string }>(unrecorded)
  for (const { id } of rows) await recordOne(app, id)
}

async function recordOne(app: App, paymentId: string): Promise<void> {
  try {
    const by = { action: recordPayment.name, actor: 'worker' }
    await inVerbTransaction(app, by, tx => receiptFor(tx, paymentId, null, by.actor, app.chainAliases))
  } catch (error) {
    // For example, the project recorded the payment differently. `record_failure` excludes it from later runs.
    if (!(error instanceof AppError) || error.retryAfterSeconds !== null) throw error
    app.log.warn({ err: error, payment: paymentId }, 'a payment of an agent cannot be recorded automatically')
    await app.pool.query('update payments set record_failure = $2 where id = $1', [paymentId, error.message])
  }
}
