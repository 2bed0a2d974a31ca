// Finds the stored payment of a request that was made before. The steps continue with it at its status.
import { AppError } from '../../core/errors.ts'
import { refusal } from './challenge.ts'
import { turnOf, turnPatienceMs } from './lease.ts'
import { findPayment, leasePayment, type Payment, reopenPayment, reverted } from './ledger.ts'
import type { Purchase } from './purchase.ts'
import { demandReinstated } from './recheck.ts'
import { resumeEarlier } from './resume-earlier.ts'

/**
 * Returns the stored payment of this purchase, leased or answered; null if the purchase is new. Throws if the payment
 * is another caller's, is for another request, can no longer be settled, or is not free in time.
 */
export async function resume(purchase: Purchase, isVerified: boolean): Promise<Payment | null> {
  const { context, facilitator, payload } = purchase
  const { network, asset } = facilitator
  const key = { network, asset, payload }
  const known = await findPayment(context, key)
  if (known === null) return resumeEarlier(purchase, isVerified)
  demandSame(purchase, known)
  if (known.isAnswered) return known
  if (known.status === 'failed' && known.failureReason === reverted) await reopenPayment(context, known.id)
  if (known.status === 'reversed') await demandReinstated(purchase, known)
  const until = Date.now() + turnPatienceMs
  for (;;) {
    const leased = await leasePayment(context, known.id, true)
    if (leased !== null) return leased
    const present = await findPayment(context, key)
    if (present === null) throw refusal(purchase, 'invalid_exact_evm_transaction_simulation_failed')
    if (present.status === 'failed' || present.status === 'reversed')
      throw refusal(purchase, present.failureReason ?? 'unexpected_verify_error')
    if (present.isAnswered) return present
    if (Date.now() >= until) throw new AppError('payment_in_progress')
    await turnOf(context, known.id, until - Date.now())
  }
}

/** Throws unless the stored payment was sent by this caller and for this request. */
function demandSame(purchase: Purchase, known: Payment): void {
  const { facilitator, payload, requirement, fingerprint, at } = purchase
  const first = facilitator.restore(known.payload)
  // A caller who only read the authorization in a block cannot sign it as the payer.
  const isSame = JSON.stringify(first.authorization) === JSON.stringify(payload.authorization)
  const isSigned = () => facilitator.checkLocally(payload, requirement, at).signedBy === 'payer'
  if (!isSame || !(first.signature === payload.signature || isSigned()))
    throw refusal(purchase, 'invalid_exact_evm_signature')
  // A caller who copied the payment from a block does not know the secret of the payer's challenge.
  if (first.secret !== payload.secret) throw refusal(purchase, 'invalid_exact_evm_nonce_already_used')
  if (known.fingerprint !== fingerprint) throw new AppError('payment_conflict')
}
