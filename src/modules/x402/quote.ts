// The first step of a paid call: what it costs at present.
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import type { PaymentFacilitator, PaymentRequirement } from '../../ports/payment-facilitator.ts'
import type { Endpoint } from './endpoints.ts'
import { priceOf } from './prices.ts'

export const maxTimeoutSeconds = 120

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

/** Not for a payment that was sent, because a settled payment is always delivered. */
export function demandEnabled({ isEnabled }: Quote): void {
  if (!isEnabled) throw new AppError('disabled_by_configuration')
}
