// A purchase that its payer named (`payment-identifier`): official clients never send a signature twice, so another payment of
// the same name is the same purchase, and only the first of them is settled.
import { AppError } from '../../core/errors.ts'
import type { LocalCheck, PaymentPayload } from '../../ports/payment-facilitator.ts'
import { type Call, collect, kept, turnPatienceMs } from './collect.ts'
import { turnOf, underLease } from './lease.ts'
import { findNamed, leasePayment, reopenPayment } from './ledger.ts'
import { expirePayment, isOver } from './settle.ts'

type Found = { answer: unknown }

/** Null when no other payment has its name. `signedBy` is of this payment, of which nothing is known yet. */
export async function againNamed(call: Call, payload: PaymentPayload, signedBy: LocalCheck['signedBy']) {
  const { network, asset } = call.facilitator
  const named = payload.identifier !== undefined && (await findNamed(call.context, { network, asset, payload }))
  if (!named) return null
  await demandUnused(call, payload, signedBy)
  return sameNamed(call, payload)
}

/**
 * What was never used only its payer can have signed and sent: he could as well pay with it. What can be read in a block
 * anybody can send.
 */
async function demandUnused({ facilitator, requirement, refuse }: Call, payload: PaymentPayload, signedBy: string) {
  // Not by simulation where it can be helped: the first payment may have taken all that its payer had.
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

/** Of a payment that is its payer's and unused; null when its name is free by now. */
export async function sameNamed(call: Call, payload: PaymentPayload): Promise<Found | null> {
  const { context, facilitator, fingerprint } = call
  const { network, asset } = facilitator
  const until = Date.now() + turnPatienceMs
  for (;;) {
    const named = await findNamed(context, { network, asset, payload })
    if (named === null) return null
    if (named.fingerprint !== fingerprint)
      throw new AppError('payment_conflict', 'Its payment-identifier was used for another request. Choose a new one.')
    if (named.status === 'delivered') return { answer: kept(call, named) }
    // Others may have collected it meanwhile, or still can.
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
