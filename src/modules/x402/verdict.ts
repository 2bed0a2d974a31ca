// Checks whether a payment would be accepted, for administrators who search for a fault. Stores and settles nothing.
import { z } from 'zod'
import { fromUnits } from '../../core/decimal.ts'
import { AppError, invalid } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import type { PaymentRefusal } from '../../ports/payment-facilitator.ts'

const json = z.record(z.string(), z.unknown()).meta({ graphql: 'JSONObject' })

export const verifyPaymentArguments = z.strictObject({
  paymentPayload: json.describe('The decoded JSON of PAYMENT-SIGNATURE.'),
  paymentRequirements: json.describe('The entry of `accepts` that the payment is for.'),
})

/** `payer` is null unless the payer’s signature was verified; `reason` is null if the payment is valid. */
export type PaymentVerdict = { valid: boolean; payer: string | null; reason: PaymentRefusal | null }

/** Errors: `payments_disabled`, `payment_malformed`, `validation_failed`, `chain_unavailable`. */
export async function verifyPayment(
  { facilitator }: App,
  { paymentPayload, paymentRequirements }: z.output<typeof verifyPaymentArguments>,
): Promise<PaymentVerdict> {
  if (facilitator === null) throw new AppError('payments_disabled')
  const decoded = facilitator.read(paymentPayload)
  if ('fault' in decoded) throw new AppError('payment_malformed', `The payment${decoded.fault}`)
  const required = facilitator.readRequirement(paymentRequirements)
  if ('fault' in required)
    throw invalid([{ path: ['paymentRequirements'], message: required.fault, type: 'value_error' }])
  const { payload } = decoded
  const { requested } = required
  const { decimals } = await facilitator.token()
  const { payTo, maxTimeoutSeconds } = requested
  const amount = fromUnits(BigInt(requested.amount), decimals)
  const ours = await facilitator.requirement({ amount, payTo, maxTimeoutSeconds })
  // Every member of the given requirement must match ours, as must every member of `accepted` in a client's payment.
  const foreign = facilitator.checkLocally({ ...payload, accepted: requested }, ours, new Date())
  const { reasons, timeReasons, signedBy } = facilitator.checkLocally(payload, ours, new Date())
  const payer = signedBy === 'payer' ? payload.authorization.from : null
  const [reason] = [...foreign.reasons, ...reasons, ...timeReasons]
  if (reason !== undefined) return { valid: false, payer, reason }
  const verified = await facilitator.verify(payload, ours, signedBy)
  if (verified === 'unavailable') throw new AppError('chain_unavailable')
  return verified.ok
    ? { valid: true, payer: verified.payer, reason: null }
    : { valid: false, payer, reason: verified.reason }
}
