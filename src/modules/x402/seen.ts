// Stores what a look at the chain showed of a settled payment. Each statement names the settlement that the look was
// about, so that a look whose payment changed meanwhile stores nothing.

import type { PaymentChange } from '../../core/event-types.ts'
import { originNow } from '../../core/scope.ts'
import type { App } from '../../kit/context.ts'
import { effects, noJobs } from '../../kit/effects.ts'
import type { PaymentFacilitator, Settlement } from '../../ports/payment-facilitator.ts'
import { eventSql } from './events.ts'
import { columns, expired, lastLook, type Payment, settledBy, settlementValues, usedElsewhere } from './ledger.ts'
import { moveSql } from './states.ts'

/** A payment that was settled, and may be reversed. */
export type SettledPayment = Payment & {
  signer: string | null
  signerNonce: number | null
  settledBlock: number | null
  transferIndex: number | null
  isDelivered: boolean
  receiptId: string | null
}

/** Null unless the payment was settled in the present token. */
export async function readSettled(
  { pool }: App,
  { network, asset }: PaymentFacilitator,
  id: string,
): Promise<SettledPayment | null> {
  const { rows } = await pool.query<SettledPayment>(
    `select ${columns}, signer, signer_nonce::int as "signerNonce", settled_block::int as "settledBlock",
       transfer_index as "transferIndex",
       delivered_at is not null as "isDelivered", receipt_id as "receiptId"
     from payments where id = $1 and network = $2 and asset = $3 and status in ('settled', 'delivered', 'reversed')`,
    [id, network, asset],
  )
  return rows[0] ?? null
}

const sameSettlement = (parameter: string) => `txid is not distinct from ${parameter}`

/** Stores the settlement as it is in the chain. `isFinal`: its block is deep enough. */
export async function noteSeen(
  app: App,
  payment: SettledPayment,
  settlement: Settlement,
  isFinal: boolean,
): Promise<void> {
  const { id, status, txid, transferIndex, isDelivered, receiptId } = payment
  const set = `${settledBy}, final_at = case when $6::boolean then coalesce(final_at, now()) end,
    look_at = case when $6::boolean and settled_at + ${lastLook} > now() then settled_at + ${lastLook} end`
  const where = sameSettlement('$7')
  const values = [id, ...settlementValues(settlement), isFinal, txid]
  const details = { from: txid, to: settlement.txid }
  if (status === 'reversed') {
    const last = isDelivered ? 'deliver' : 'reinstate'
    const sql = moveSql('reinstate', { set: `${set}, failure_reason = null, reversed_at = null`, where, last })
    const changes: PaymentChange[] = isDelivered ? ['settled', 'delivered'] : ['settled']
    if (await change(app, { action: 'payment.reinstate', details, sql, values, changes }))
      app.log.warn({ payment: id, txid: settlement.txid }, 'a reversed payment is settled again')
    return
  }
  const sql = `update payments set ${set} where id = $1 and status in ('settled', 'delivered') and ${where}`
  if (settlement.txid === txid) {
    await app.pool.query(sql, values)
    // In another block, the same transaction may have other numbers of logs.
    if (receiptId !== null && settlement.isShared && settlement.transferIndex !== transferIndex)
      app.log.error(
        { payment: id, receipt: receiptId, txid, from: transferIndex, to: settlement.transferIndex },
        'ALARM: a receipt names a transfer that has another number in its transaction now',
      )
    return
  }
  if (!(await change(app, { action: 'payment.correct', details, sql, values, changes: ['corrected'] }))) return
  app.log.warn({ payment: id, ...details }, 'another transaction is the settlement of a payment now')
  if (receiptId !== null)
    app.log.error(
      { payment: id, receipt: receiptId, ...details },
      'ALARM: a receipt names a settlement that was replaced',
    )
}

/** Sets the payment to `reversed`. If it can never be settled any more, it releases its `payment-identifier`. */
export async function noteReversed(app: App, payment: SettledPayment, reason: string): Promise<void> {
  const { id, txid, receiptId, status } = payment
  if (status === 'reversed') return postpone(app, payment, { isMissing: true })
  const released = `identifier = case when $2 not in ('${expired}', '${usedElsewhere}') then identifier end`
  const sql = moveSql('reverse', {
    set: `failure_reason = $2, reversed_at = now(), final_at = null, look_at = now() + interval '1 minute', ${released}`,
    where: sameSettlement('$3'),
  })
  const details = { reason, txid }
  const values = [id, reason, txid]
  if (!(await change(app, { action: 'payment.reverse', details, sql, values, changes: ['reversed'] }))) return
  app.log.error(
    { payment: id, receipt: receiptId, ...details },
    'ALARM: the chain took the settlement of a payment back',
  )
}

/** The payment is looked up again in a minute, a reversed one in ever longer intervals. */
export async function postpone(
  { pool }: App,
  { id, txid }: SettledPayment,
  look: { isMissing: boolean },
): Promise<void> {
  await pool.query(
    `update payments set look_at = now() + greatest(interval '1 minute', (now() - reversed_at) / 4),
       final_at = case when not $2::boolean then final_at end
     where id = $1 and ${sameSettlement('$3')} and status in ('settled', 'delivered', 'reversed')`,
    [id, look.isMissing, txid],
  )
}

type Change = { action: string; details: object; sql: string; values: unknown[]; changes: PaymentChange[] }

/** Changes a payment, with an audit row and events, in one statement. Returns whether it was as `sql` expects. */
async function change({ pool }: App, { action, details, sql, values, changes }: Change): Promise<boolean> {
  const statement = effects(
    {
      audit: `select '${action}', 'payment', id::text, project_id, 'worker', $${values.length + 1}::jsonb from changed`,
      events: changes.map(each => `select ${eventSql('changed', each)} from changed`).join(' union all '),
      jobs: noJobs,
      origin: `$${values.length + 2}`,
    },
    { ctes: `changed as (${sql} returning *)`, answer: 'select id from changed' },
  )
  const { rowCount } = await pool.query(statement, [...values, JSON.stringify(details), originNow()])
  return rowCount === 1
}
