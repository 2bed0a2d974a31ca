// Purchases with a `payment-identifier`. Official clients never send a signature twice, so another payment of the payer
// with the same identifier is the same purchase, and only the first payment is settled.
import { AppError } from '../../core/errors.ts'
import type { LocalCheck, PaymentPayload } from '../../ports/payment-facilitator.ts'
import { type Call, collect, kept, turnPatienceMs } from './collect.ts'
import { turnOf, underLease } from './lease.ts'
import { findNamed, leasePayment, reopenPayment } from './ledger.ts'
import { expirePayment, isOver } from './settle.ts'

type Found = { answer: unknown }

/** Returns the result of an earlier payment with the same identifier, or null. `signedBy` is of the new payment. */
export async function againNamed(call: Call, payload: PaymentPayload, signedBy: LocalCheck['signedBy']) {
  const { network, asset } = call.facilitator
  const named = payload.identifier !== undefined && (await findNamed(call.context, { network, asset, payload }))
  if (!named) return null
  await demandUnused(call, payload, signedBy)
  return sameNamed(call, payload)
}

/**
 * Throws unless the payer signed the authorization and it is unused. Only the payer can send an unused authorization,
 * and could as well pay with it; a used one is public in a block, so any caller can send it.
 */
async function demandUnused({ facilitator, requirement, refuse }: Call, payload: PaymentPayload, signedBy: string) {
  // Avoids a simulation where possible, because the first payment may have used up the payer's balance.
  if (signedBy === 'payer') {
    const isUsed = await facilitator.isUsed(payload)
    if (isUsed === 'unavailable') throw new AppError('chain_unavailable')
    if (isUsed) throw refuse('invalid_exact_evm_nonce_already_used')
    return
  }
  const verified = await facilitator.verify(payload, requirement)
  if (verified === 'unavailable') throw new AppError('chain_unavailable')
  if (!verified.ok) throw refuse(verified.reason)
}

/**
 * Returns the result of the payment with this identifier; null if it is free. `payload` must be unused and the payer's.
 */
export async function sameNamed(call: Call, payload: PaymentPayload): Promise<Found | null> {
  const { context, facilitator, fingerprint } = call
  const { network, asset } = facilitator
  const until = Date.now() + turnPatienceMs
  for (;;) {
    const named = await findNamed(context, { network, asset, payload })
    if (named === null) return null
    if (named.fingerprint !== fingerprint)
      throw new AppError('payment_conflict', 'The payment-identifier was used for another request. Choose a new one.')
    if (named.status === 'delivered') return { answer: kept(call, named) }
    // Another sender may have settled the failed payment meanwhile, or still can.
    if (named.status === 'failed') await reopenPayment(context, named.id)
    const leased = await leasePayment(context, named.id)
    if (leased !== null) {
      const isDead = leased.status === 'verified' && isOver(facilitator.restore(leased.payload))
      if (!isDead) return { answer: await collect(call, leased, { isAdmitted: false }) }
      const ended = await underLease(context, leased, () => expirePayment(context, facilitator, leased))
      if (ended === 'unavailable') throw new AppError('chain_unavailable')
    } else if (Date.now() < until) await turnOf(context, named.id, until - Date.now())
    else throw new AppError('settlement_pending', 'A payment of the same payment-identifier is under way.')
  }
}
