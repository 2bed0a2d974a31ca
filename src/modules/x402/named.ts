// Purchases with a `payment-identifier`. Official clients sign a new authorization for each retry. The payer's second
// payment with one identifier is therefore a retry, and only the first payment is settled.
import { AppError } from '../../core/errors.ts'
import { turnOf, turnPatienceMs, underLease } from './lease.ts'
import { findNamed, leasePayment, type Payment, reopenPayment } from './ledger.ts'
import type { Purchase } from './purchase.ts'
import { refusal } from './quote.ts'
import { demandReinstated } from './recheck.ts'
import { expirePayment, isExpired } from './settle.ts'
import { demandAsQuoted, demandSettleable } from './verify.ts'

/**
 * Returns an earlier payment with the same identifier, leased or delivered; null if there is none. `isVerified`: the
 * payment of this request has passed the step `verify`.
 */
export async function resumeNamed(purchase: Purchase, isVerified: boolean): Promise<Payment | null> {
  const { context, facilitator, payload, fingerprint } = purchase
  const { network, asset } = facilitator
  if (payload.identifier === undefined) return null
  const key = { network, asset, payload }
  if (!isVerified && (await findNamed(context, key)) !== null) await demandUnused(purchase)
  const until = Date.now() + turnPatienceMs
  for (;;) {
    const named = await findNamed(context, key)
    if (named === null) return null
    if (named.fingerprint !== fingerprint)
      throw new AppError('payment_conflict', 'The payment-identifier was used for another request. Choose a new one.')
    if (named.status === 'delivered') return named
    // It reverted. Any sender may have settled it meanwhile, or may still do so.
    if (named.status === 'failed') await reopenPayment(context, named.id)
    if (named.status === 'reversed') await demandReinstated(purchase, named)
    const leased = await leasePayment(context, named.id)
    if (leased !== null) {
      const hasExpired = leased.status === 'verified' && isExpired(facilitator.restore(leased.payload))
      if (!hasExpired) return leased
      const ended = await underLease(context, leased, () => expirePayment(context, facilitator, leased))
      if (ended === 'unavailable') throw new AppError('chain_unavailable')
    } else if (Date.now() < until) await turnOf(context, named.id, until - Date.now())
    else throw new AppError('settlement_pending', 'A payment of the same payment-identifier is under way.')
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
