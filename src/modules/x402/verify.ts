// The second step of a paid call: whether the payment is as quoted, signed by the payer, and can be settled.
import { AppError } from '../../core/errors.ts'
import type { LocalCheck } from '../../ports/payment-facilitator.ts'
import { refusal } from './challenge.ts'
import type { Purchase } from './purchase.ts'

/**
 * `sinceBlock`: no earlier block contains the settlement. `gas` of the settlement, if it is known already. `at`: when
 * it was asked for, in milliseconds since 1970.
 */
export type Verified = { sinceBlock: number; gas: number | undefined; at: number }

export async function verify(purchase: Purchase): Promise<Verified> {
  const signedBy = demandAsQuoted(purchase)
  const sinceBlock = await purchase.facilitator.head()
  const at = Date.now()
  return { sinceBlock, gas: await demandSettleable(purchase, signedBy), at }
}

/**
 * Throws unless the payment is as quoted and valid now, as far as it shows without the chain. Returns who signed it.
 */
export function demandAsQuoted(purchase: Purchase): LocalCheck['signedBy'] {
  const { facilitator, payload, requirement, at } = purchase
  const { reasons, timeReasons, signedBy } = facilitator.checkLocally(payload, requirement, at)
  const [reason] = [...reasons, ...timeReasons]
  if (reason !== undefined) throw refusal(purchase, reason)
  return signedBy
}

/**
 * Throws unless the chain would settle the payment now. `signedBy` is what `demandAsQuoted` returned. Returns the gas
 * of the settlement, if that is known.
 */
export async function demandSettleable(
  purchase: Purchase,
  signedBy: LocalCheck['signedBy'],
): Promise<number | undefined> {
  const { facilitator, payload, requirement } = purchase
  const verified = await facilitator.verify(payload, requirement, signedBy)
  if (verified === 'unavailable') throw new AppError('chain_unavailable')
  if (!verified.ok) throw refusal(purchase, verified.reason)
  return verified.gas
}
