// The fourth step of a paid call: signs the payment's transaction in the signer's nonce queue, stores it, sends it, and
// waits until the chain shows the outcome. The caller stores a settlement. The worker continues this step for payments
// whose request has ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { tell } from '../../kit/origins.ts'
import type { PaymentFacilitator, PaymentPayload, Settlement } from '../../ports/payment-facilitator.ts'
import { broadcastStored } from '../transactions/nonce-queue.ts'
import { refusal } from './challenge.ts'
import { admitAgain } from './claim.ts'
import {
  dropPayment,
  expired,
  forgetTransaction,
  noteFailed,
  notePaid,
  type Payment,
  presentPayment,
  reverted,
  usedElsewhere,
} from './ledger.ts'
import { type Prepared, signInQueue } from './nonce-queue.ts'
import type { Purchase } from './purchase.ts'

const settlePatienceMs = 20_000
// Some chains produce a block at once, others within seconds.
const pollMs = { first: 1, longest: 150 }
const searchEveryMs = 2_000
// Lagging nodes show a mined transaction a moment later.
const lagPatienceMs = 3_000

export const clockSkewSeconds = 60

/** Returns whether the authorization has expired by more than the clock skew, so that no chain accepts it any more. */
export const isSurelyExpired = ({ authorization }: PaymentPayload) =>
  Number(authorization.validBefore) < Date.now() / 1_000 - clockSkewSeconds

/**
 * Returns whether the authorization has expired: by this machine's time and that of the newest block, or by more than
 * the clock skew.
 */
export async function hasExpired(facilitator: PaymentFacilitator, { payload }: Payment): Promise<boolean> {
  const restored = facilitator.restore(payload)
  if (isSurelyExpired(restored)) return true
  return secondsLeft(restored) <= 0 && (await facilitator.isOver(restored)) === true
}

const secondsLeft = ({ authorization }: PaymentPayload) =>
  Math.ceil(Number(authorization.validBefore) - Date.now() / 1_000)

/**
 * unsettled: it cannot be settled now; an earlier transaction was sent if the row has a `txid` or `reverts` · pending:
 * a transaction was sent, and is not mined within `patienceMs`.
 */
export type SettleOutcome = Settlement | 'failed' | 'unsettled' | 'pending' | 'unavailable'

/**
 * Settles a payment that this call has leased, and returns its settlement, which is not stored yet; null if it is
 * stored. Throws if the payment is not settled in time. `prepared`: the payment was claimed by this call, and is
 * prepared already.
 */
export async function settle(purchase: Purchase, payment: Payment, prepared?: Prepared): Promise<Settlement | null> {
  if (payment.status === 'settled') return null
  const { context, facilitator } = purchase
  const isNew = prepared !== undefined
  const isUnsent = payment.status === 'verified' && payment.txid === null
  // Searched before any refusal: a reverted payment is public in its block, and any sender may have settled it.
  const found =
    isUnsent && payment.reverts > 0 ? await findOrEnd(context, facilitator, payment, 'unsettled') : 'unsettled'
  // The request may have become impossible since the payment was claimed.
  if (!isNew && isUnsent && found === 'unsettled') await admitAgain(purchase, payment)
  const settled =
    found === 'unsettled' ? await settlePayment(context, facilitator, payment, settlePatienceMs, prepared) : found
  if (typeof settled === 'object') return settled
  if (settled === 'failed') throw refusal(purchase, 'settlement_failed', payment.payer)
  // A payment with a `txid` was sent and may have settled, even if lagging nodes do not show it. Its row is kept until
  // the authorization expires.
  if (settled === 'unsettled' && payment.txid === null) {
    await dropPayment(context, payment.id)
    const stored = facilitator.restore(payment.payload)
    // It was an earlier payment. The next try claims the payment of this request, unless the earlier one reverted: then
    // anybody may still settle it, until it expires.
    if (stored.authorization.nonce !== purchase.payload.authorization.nonce) {
      const retryAfterSeconds = payment.reverts > 0 ? Math.max(1, secondsLeft(stored)) : 1
      throw new AppError('payment_in_progress', undefined, { retryAfterSeconds })
    }
    throw refusal(purchase, 'invalid_exact_evm_transaction_simulation_failed', payment.payer)
  }
  // Never 402, which would make the client pay twice.
  throw new AppError(settled === 'unavailable' ? 'chain_unavailable' : 'settlement_pending')
}

/** Settles a leased payment with its stored transaction, or signs one. Stores a failure. */
export async function settlePayment(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
  patienceMs: number,
  prepared?: Prepared,
): Promise<SettleOutcome> {
  const payload = facilitator.restore(payment.payload)
  // A stored transaction is broadcast again, because its process may have died before the first broadcast.
  const { txid, raw } = payment
  const signed =
    txid !== null && raw !== null ? { txid, raw } : await signInQueue(app, facilitator, payment, payload, prepared)
  if (signed === null) return findOrEnd(app, facilitator, payment, 'unsettled')
  const isOvertaken = (await broadcastStored(app, facilitator, signed.raw)) === 'overtaken'
  tell(app, { chain: facilitator.network, txid: signed.txid, payment: payment.id }, 'settlement sent')
  const until = Date.now() + (isOvertaken ? Math.min(patienceMs, lagPatienceMs) : patienceMs)
  let nextSearch = Date.now() + searchEveryMs
  for (let pauseMs = pollMs.first; ; pauseMs = Math.min(2 * pauseMs, pollMs.longest)) {
    const outcome = await facilitator.outcome(signed.txid, payload)
    if (typeof outcome === 'object') return outcome
    if (outcome === 'reverted') {
      const found = await findOrEnd(app, facilitator, payment, 'pending')
      if (found !== 'pending') return found
      // Lagging nodes show a moment later whether another sender settled the payment first.
      await sleep(lagPatienceMs)
      return findOrEnd(app, facilitator, payment, 'failed')
    }
    const isTimeUp = Date.now() >= until
    if (!isTimeUp && Date.now() < nextSearch) {
      await sleep(pauseMs)
      continue
    }
    nextSearch = Date.now() + searchEveryMs
    // An earlier transaction of the service, or another sender's, may have settled the payment.
    const found = await findOrEnd(app, facilitator, payment, 'pending')
    if (!isTimeUp && typeof found !== 'object' && found !== 'failed') continue
    // Another transaction has the account's nonce, and the authorization is unused: it is signed again. If lagging
    // nodes misled us and both are mined, the second one reverts.
    if (found === 'pending' && outcome === 'waiting' && isOvertaken)
      await forgetTransaction(app, payment.id, signed.raw)
    return found
  }
}

/** Ends an expired payment without a known transaction: `settled` if any sender settled it, otherwise `failed`. */
export async function expirePayment(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
): Promise<SettleOutcome> {
  const found = await findOrEnd(app, facilitator, payment, 'failed', expired)
  if (typeof found === 'object') await storeSettlement(app, payment, found)
  return found
}

/** Stores the settlement, unless another process has stored it meanwhile, and returns the payment's row. */
export const storeSettlement = async (app: App, payment: Payment, settlement: Settlement): Promise<Payment> =>
  (await notePaid(app, payment, settlement)) ?? presentPayment(app, payment.id)

/**
 * Searches for a settlement by any sender. Returns `ifUnused` if the authorization is unused; if that is `failed`, also
 * sets the payment to `failed` for the reason `why`. A cancelled authorization sets it to `failed` in any case.
 */
async function findOrEnd(
  app: App,
  facilitator: PaymentFacilitator,
  payment: Payment,
  ifUnused: 'unsettled' | 'failed' | 'pending',
  why = reverted,
): Promise<SettleOutcome> {
  const found = await facilitator.findSettlement(facilitator.restore(payment.payload), payment.sinceBlock)
  if (typeof found === 'object' || found === 'unavailable') return found
  if (found === 'none' && ifUnused !== 'failed') return ifUnused
  await noteFailed(app, payment, found === 'cancelled' ? usedElsewhere : why)
  return 'failed'
}
