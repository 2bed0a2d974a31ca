// The enabled paid endpoints, each with its current payment requirement.
import type { App } from '../../kit/context.ts'
import type { PaymentRequirement } from '../../ports/payment-facilitator.ts'
import { endpoints } from './endpoints.ts'
import { presentPrices } from './prices.ts'
import { maxTimeoutSeconds } from './quote.ts'

export type PaidOffer = { path: string; description: string; requirement: PaymentRequirement }

/** Returns the enabled paid endpoints; none if payments are not configured. Errors: chain_unavailable. */
export async function presentOffers(app: Pick<App, 'pool' | 'facilitator' | 'paymentsTo'>): Promise<PaidOffer[]> {
  const { facilitator } = app
  if (facilitator === null) return []
  const prices = await presentPrices(app, app.paymentsTo)
  const offered = Object.values(endpoints).flatMap(({ path, description }) =>
    prices.flatMap(price => (price.path === path && price.enabled ? [{ ...price, description }] : [])),
  )
  return Promise.all(
    offered.map(async ({ path, description, price: amount, recipient: payTo }) => ({
      path,
      description,
      requirement: await facilitator.requirement({ amount, payTo, maxTimeoutSeconds }),
    })),
  )
}
