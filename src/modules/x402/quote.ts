// The first step of a paid call: what it costs at present, and the 402 challenge that says so.
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import type { PaymentFacilitator, PaymentRequirement } from '../../ports/payment-facilitator.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { priceOf } from './prices.ts'

export const maxTimeoutSeconds = 120

// Official clients echo the challenge in a header, and the service reads headers up to 16 KiB.
const longestResource = 2_048
// One read of the prices, and one challenge that is encoded twice: for the header and for the body.
const challengeCost = 5

export type Quote = {
  context: Context
  facilitator: PaymentFacilitator
  endpoint: Endpoint
  /** Path and query of what is bought. */
  resource: string
  /** In units of the token. */
  price: string
  requirement: PaymentRequirement
  isEnabled: boolean
}

export async function quote(
  context: Context,
  facilitator: PaymentFacilitator,
  endpoint: Endpoint,
  resource: string,
): Promise<Quote> {
  const { price, recipient, enabled } = await priceOf(context, endpoint, context.paymentsTo)
  const requirement = await facilitator.requirement({ amount: price, payTo: recipient, maxTimeoutSeconds })
  return { context, facilitator, endpoint, resource, price, requirement, isEnabled: enabled }
}

/**
 * Throws the challenge, as `pay` does, if the request carries no payment. For transports that can detect that before
 * they read the request.
 */
export async function demandPayment(context: Context, endpoint: Endpoint): Promise<void> {
  const { facilitator, paying, allowance } = context
  if (paying.header !== null) return
  if (facilitator === null) throw new AppError('payments_disabled')
  allowance.spend(challengeCost)
  throw unpaid(await quote(context, facilitator, endpoint, paying.resource ?? endpoints[endpoint].path))
}

/** Returns the challenge for a request without a payment. */
export function unpaid(quoted: Quote): AppError {
  demandEnabled(quoted)
  return refusal(quoted, `${quoted.context.paying.place} is required`)
}

/** Not for a payment that was sent, because a settled payment is always delivered. */
export function demandEnabled({ isEnabled }: Quote): void {
  if (!isEnabled) throw new AppError('disabled_by_configuration')
}

/** Returns the 402 challenge with its reason; with `payer`, also a header that reports the failed settlement. */
export function refusal(quoted: Quote, error: string, payer?: string): AppError {
  const { context, facilitator, endpoint, resource, requirement } = quoted
  const { path, description } = endpoints[endpoint]
  const shown = resource.length > longestResource ? path : resource
  const { header, body } = facilitator.encodeRequired({
    error,
    resource: { url: `${context.publicBaseUrl}${shown}`, description, mimeType: 'application/json' },
    accepts: [requirement],
    extensions: context.paying.described(path, shown),
  })
  const failed = payer && { 'PAYMENT-RESPONSE': facilitator.encodeResponse({ payer, errorReason: error }) }
  return new AppError('payment_required', undefined, { headers: { 'PAYMENT-REQUIRED': header, ...failed }, body })
}
