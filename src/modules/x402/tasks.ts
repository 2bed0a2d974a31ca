// Background work on payments whose request has ended. A sent payment is settled; an unsent payment is not, because no
// client waits for it. A settled but unanswered payment raises an alarm, because only its payer can request the
// answer.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { PaymentFacilitator } from '../../ports/payment-facilitator.ts'
import { underLease } from './lease.ts'
import { leasePayment } from './ledger.ts'
import { rebroadcastSettlements } from './nonce-queue.ts'
import { clockSkewSeconds, expirePayment, isSurelyExpired, settlePayment, storeSettlement } from './settle.ts'
import type { PaymentStatus } from './states.ts'

const most = 100

/** Settles or expires a payment whose request ended before it was settled. */
export const settle = task(jobs.settle, async (app, { payment }) => {
  const { facilitator } = app
  if (facilitator === null) return
  const leased = await leasePayment(app, payment, false)
  if (leased === null) return
  await underLease(app, leased, async () => {
    if (leased.status === 'settling') {
      const found = await settlePayment(app, facilitator, leased, 0)
      if (typeof found === 'object') await storeSettlement(app, leased, found)
    } else if (leased.status === 'verified' && isSurelyExpired(facilitator.restore(leased.payload)))
      await expirePayment(app, facilitator, leased)
  })
})

/** Runs every minute: reports undelivered payments, enqueues open payments, rebroadcasts or replaces transactions. */
export async function settleOpen(app: App): Promise<void> {
  const { facilitator, pool } = app
  if (facilitator === null) return
  const { rows: owed } = await pool.query<{ count: number }>(
    `select count(*)::int as count from payments where status = 'settled' and answered_at is null and settled_at < now() - interval '5 minutes'`,
  )
  const count = owed[0]?.count ?? 0
  if (count > 0)
    app.log.error({ payments: count }, 'ALARM: payments are settled, and what they paid for is not delivered')
  await begin(app, facilitator, ['verified', 'settling'])
  await rebroadcastSettlements(app, facilitator)
}

/** Runs every few seconds: a transaction stored by a dead process may be unsent, and all later nonces wait for it. */
export async function settleLeft(app: App): Promise<void> {
  if (app.facilitator !== null) await begin(app, app.facilitator, ['settling'])
}

/** Enqueues a job for each open payment that no process works on; for `verified` ones only once expired. */
async function begin(app: App, { network, asset }: PaymentFacilitator, statuses: PaymentStatus[]): Promise<void> {
  const { rows } = await app.pool.query<{ id: string }>(
    `select id from payments where status = any($3::payment_status[])
       and (status <> 'verified' or (payload #>> '{authorization,validBefore}')::numeric < extract(epoch from now()) - ${clockSkewSeconds})
       and (lease_until is null or lease_until < now()) and network = $1 and asset = $2 order by verified_at limit ${most}`,
    [network, asset, statuses],
  )
  if (rows.length === 0) return
  await inTransaction(app, async tx => tx.job(...rows.map(({ id }) => jobs.settle({ payment: id }))))
}
