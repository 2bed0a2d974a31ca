// Looks settled payments up again, because a reorganisation of the chain can replace their transactions or take them
// back: each once its block is deep enough, and once more two hours later. What left the chain is sent again as long as
// its authorization is valid; what cannot be settled any more is reversed, until it is in the chain again.
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { isSealed } from '../../kit/moving.ts'
import type { PaymentFacilitator, PaymentPayload, SettlementSearch } from '../../ports/payment-facilitator.ts'
import { broadcastStored } from '../transactions/nonce-queue.ts'
import { refusal } from './challenge.ts'
import { expired, type Payment, usedElsewhere } from './ledger.ts'
import { signInQueue } from './nonce-queue.ts'
import type { Purchase } from './purchase.ts'
import { noteReversed, noteSeen, postpone, readSettled, type SettledPayment } from './seen.ts'
import { isSurelyExpired } from './settle.ts'

/** Failure reason of a payment whose settlement left the chain, and would fail now: mostly for want of money. */
const refused = 'settlement_refused'

// After a reorganisation the settlement may be in an earlier block than those of before.
const reorganisedBlocks = 64
const atOnce = 16
// The next run continues where this run stops.
const longestRunMs = 40_000

/** seen: it is in the chain · gone: it is reversed · open: it may be settled again, or no answer is certain. */
export type Recheck = 'seen' | 'gone' | 'open'

/** Looks up a payment that was settled, and stores what the chain shows. */
export async function recheck(app: App, id: string): Promise<Recheck> {
  const { facilitator } = app
  const payment = facilitator === null ? null : await readSettled(app, facilitator, id)
  if (facilitator === null || payment === null) return 'open'
  try {
    return await look(app, facilitator, payment)
  } catch (error) {
    app.log.warn({ err: error, payment: id }, 'the settlement of a payment could not be looked up')
    await postpone(app, payment, { isMissing: false })
    return 'open'
  }
}

async function look(app: App, facilitator: PaymentFacilitator, payment: SettledPayment): Promise<Recheck> {
  const payload = facilitator.restore(payment.payload)
  const head = await facilitator.head()
  const isDeep = (block: number) => head - block + 1 >= facilitator.confirmations
  const found = await find(facilitator, payment, payload)
  if (found === 'unavailable') throw new AppError('chain_unavailable')
  if (typeof found === 'object') {
    await noteSeen(app, payment, found, isDeep(found.blockNumber))
    return 'seen'
  }
  // A node that lags, or a fork that ends soon, takes nothing back.
  if (!isDeep(payment.settledBlock ?? 0)) return isOpen(app, payment)
  if (found === 'cancelled') return isGone(app, payment, usedElsewhere)
  if (isSurelyExpired(payload)) return isGone(app, payment, expired)
  if (await sendAgain(app, facilitator, payment, payload)) return isOpen(app, payment)
  // The settlement may have been mined meanwhile, and would fail a second time.
  const after = await find(facilitator, payment, payload)
  return after === 'none' ? isGone(app, payment, refused) : isOpen(app, payment)
}

async function isOpen(app: App, payment: SettledPayment): Promise<Recheck> {
  await postpone(app, payment, { isMissing: true })
  return 'open'
}

async function isGone(app: App, payment: SettledPayment, reason: string): Promise<Recheck> {
  await noteReversed(app, payment, reason)
  return 'gone'
}

async function find(
  facilitator: PaymentFacilitator,
  { txid, sinceBlock }: SettledPayment,
  payload: PaymentPayload,
): Promise<SettlementSearch> {
  const outcome = txid === null ? 'waiting' : await facilitator.outcome(txid, payload)
  if (outcome === 'unavailable' || typeof outcome === 'object') return outcome
  return facilitator.findSettlement(payload, Math.max(0, sinceBlock - reorganisedBlocks))
}

/** Sends the stored transaction of the payment, or a new one if its nonce is used. Returns false if it would fail. */
async function sendAgain(
  app: App,
  facilitator: PaymentFacilitator,
  payment: SettledPayment,
  payload: PaymentPayload,
): Promise<boolean> {
  const { id, raw, signer, signerNonce } = payment
  const isSendable =
    raw !== null &&
    signerNonce !== null &&
    signer === facilitator.address &&
    (await facilitator.minedNonce()) <= signerNonce
  const signed = isSendable ? { raw } : await signInQueue(app, facilitator, payment, payload)
  if (signed === null) return false
  app.log.warn({ payment: id }, 'the settlement of a payment left the chain and is sent again')
  await broadcastStored(app, facilitator, signed.raw)
  return true
}

/** Looks a reversed payment up for its payer. Throws unless it is settled again. */
export async function demandReinstated(purchase: Purchase, { id, failureReason }: Payment): Promise<void> {
  const result = await recheck(purchase.context, id)
  if (result === 'open') throw new AppError('settlement_pending')
  if (result === 'gone') throw refusal(purchase, failureReason ?? 'unexpected_verify_error')
}

/** Runs every minute. */
export async function recheckDue(app: App): Promise<void> {
  const { facilitator } = app
  if (facilitator === null) return
  const until = Date.now() + longestRunMs
  let ids: string[]
  do {
    ids = await due(app, facilitator)
    await Promise.all(ids.map(id => recheck(app, id)))
  } while (ids.length > 0 && Date.now() < until)
  await logUnsure(app, facilitator)
}

async function due({ pool }: App, { network, asset, head, confirmations }: PaymentFacilitator): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from payments
     where settled_at is not null and (final_at is null or look_at is not null) and (look_at is null or look_at <= now())
       and network = $1 and asset = $2 and (settled_block is null or settled_block <= $3)
       and status in ('settled', 'delivered', 'reversed')
       and not ${isSealed('payments.project_id')} limit ${atOnce}`,
    [network, asset, (await head()) - confirmations + 1],
  )
  return rows.map(({ id }) => id)
}

async function logUnsure({ pool, log }: App, { network, asset }: PaymentFacilitator): Promise<void> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from payments
     where settled_at < now() - interval '1 hour' and final_at is null and status in ('settled', 'delivered')
       and network = $1 and asset = $2`,
    [network, asset],
  )
  const count = rows[0]?.count ?? 0
  if (count > 0) log.error({ payments: count }, 'ALARM: payments that settled an hour ago are not final')
}
