// Purchases that were paid for by another authorization before. Official clients sign a new one for each retry. The
// payer's second payment with one `payment-identifier` is therefore a retry, and so is one without it for a request
// whose answer never reached its client. Only the first payment is settled.
import { AppError } from '../../core/errors.ts'
import { refusal } from './challenge.ts'
import { turnOf, turnPatienceMs, underLease } from './lease.ts'
import { findNamed, findUnwritten, leasePayment, type Payment, reopenPayment } from './ledger.ts'
import type { Purchase } from './purchase.ts'
import { demandReinstated } from './recheck.ts'
import { expirePayment, hasExpired } from './settle.ts'
import { demandAsQuoted, demandSettleable } from './verify.ts'

/**
 * Returns the earlier payment that is meant, leased or answered; null if there is none. `isVerified`: the payment of
 * this request has passed the step `verify`.
 */
export async function resumeEarlier(purchase: Purchase, isVerified: boolean): Promise<Payment | null> {
  const { context, facilitator, payload, fingerprint } = purchase
  const { network, asset } = facilitator
  const key = { network, asset, payload }
  const find = () =>
    payload.identifier === undefined ? findUnwritten(context, key, fingerprint) : findNamed(context, key)
  const until = Date.now() + turnPatienceMs
  for (let isUnused = isVerified; ; isUnused = true) {
    const payment = await find()
    if (payment === null) return null
    if (!isUnused) await demandUnused(purchase)
    if (payment.fingerprint !== fingerprint)
      throw new AppError('payment_conflict', 'The payment-identifier was used for another request. Choose a new one.')
    if (payment.isAnswered) return payment
    // It reverted. Any sender may have settled it meanwhile, or may still do so.
    if (payment.status === 'failed') await reopenPayment(context, payment.id)
    if (payment.status === 'reversed') await demandReinstated(purchase, payment)
    const leased = await leasePayment(context, payment.id, true)
    if (leased !== null) {
      if (leased.status !== 'verified' || !(await hasExpired(facilitator, leased))) return leased
      const ended = await underLease(context, leased, () => expirePayment(context, facilitator, leased))
      if (ended === 'unavailable') throw new AppError('chain_unavailable')
    } else if (Date.now() < until) await turnOf(context, payment.id, until - Date.now())
    else throw new AppError('settlement_pending', 'An earlier payment for this request is under way.')
  }
}

/**
 * Throws unless the payer signed the authorization and it is unused. This shows that the caller is the payer, who may
 * get the answer that the first payment bought: anybody can copy a used authorization from its block. A stored one that
 * reverted is public too, but `resume` has found it before.
 */
async function demandUnused(purchase: Purchase): Promise<void> {
  const { facilitator, payload } = purchase
  // Avoids a simulation where possible, because the first payment may have used up the payer's balance.
  const signedBy = demandAsQuoted(purchase)
  if (signedBy === 'unknown') {
    await demandSettleable(purchase, signedBy)
    return
  }
  const isUsed = await facilitator.isUsed(payload)
  if (isUsed === 'unavailable') throw new AppError('chain_unavailable')
  if (isUsed) throw refusal(purchase, 'invalid_exact_evm_nonce_already_used')
}
