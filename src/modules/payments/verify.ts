// Says of a payment whether it would be taken, for those who look for what is wrong. It keeps nothing and settles nothing.
import { z } from 'zod'
import { fromUnits } from '../../core/decimal.ts'
import { AppError, invalid } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import type { PaymentRefusal } from '../../ports/payment-facilitator.ts'

const json = z.record(z.string(), z.unknown()).meta({ graphql: 'JSONObject' })

export const verifyPaymentArguments = z.strictObject({
  paymentPayload: json.describe('What PAYMENT-SIGNATURE says, decoded.'),
  paymentRequirements: json.describe('The entry of `accepts` that it is to pay.'),
})

/** `payer` is null unless the signature is the payer’s; `reason` unless it is not good. */
export type PaymentVerdict = { valid: boolean; payer: string | null; reason: PaymentRefusal | null }

/** Errors: `payments_disabled`, `payment_malformed`, `validation_failed`, `chain_unavailable`. */
export async function verifyPayment(
  { facilitator }: App,
  { paymentPayload, paymentRequirements }: z.output<typeof verifyPaymentArguments>,
): Promise<PaymentVerdict> {
  if (facilitator === null) throw new AppError('payments_disabled')
  const decoded = facilitator.read(paymentPayload)
  if ('fault' in decoded) throw new AppError('payment_malformed', decoded.fault)
  const required = facilitator.readRequirement(paymentRequirements)
  if ('fault' in required)
    throw invalid([{ path: ['paymentRequirements'], message: required.fault, type: 'value_error' }])
  const { payload } = decoded
  const { asked } = required
  const { decimals } = await facilitator.token()
  const { payTo, maxTimeoutSeconds } = asked
  const amount = fromUnits(BigInt(asked.amount), decimals)
  const ours = await facilitator.requirement({ amount, payTo, maxTimeoutSeconds })
  // What is asked for has to be ours in every member, as what a client says it pays has to be.
  const foreign = facilitator.checkLocally({ ...payload, accepted: asked }, ours, new Date())
  const { reasons, untimely, signedBy } = facilitator.checkLocally(payload, ours, new Date())
  const payer = signedBy === 'payer' ? payload.authorization.from : null
  const [reason] = [...foreign.reasons, ...reasons, ...untimely]
  if (reason !== undefined) return { valid: false, payer, reason }
  const verified = await facilitator.verify(payload, ours)
  if (verified === 'unavailable') throw new AppError('chain_unavailable')
  return verified.ok
    ? { valid: true, payer: verified.payer, reason: null }
    : { valid: false, payer, reason: verified.reason }
}
