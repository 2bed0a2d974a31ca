// The 402 challenge: it names the price, and why the request is not answered yet.
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { demandEnabled, type Quote, quote } from './quote.ts'

// Official clients echo the challenge in a header, and the service reads headers up to 16 KiB.
const longestResource = 2_048
// One read of the prices, and one challenge that is encoded twice: for the header and for the body.
const challengeCost = 5

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
