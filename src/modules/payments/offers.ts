// What can be bought at present, with what is to be paid for it.
import type { App } from '../../kit/context.ts'
import type { PaymentRequirement } from '../../ports/payment-facilitator.ts'
import { endpoints } from './endpoints.ts'
import { maxTimeoutSeconds } from './pay.ts'
import { presentPrices } from './prices.ts'

export type PaidOffer = { path: string; description: string; requirement: PaymentRequirement }

/** Empty where payments are not set up. Errors: chain_unavailable. */
export async function presentOffers(app: Pick<App, 'db' | 'facilitator' | 'paymentsTo'>): Promise<PaidOffer[]> {
  const { facilitator } = app
  if (facilitator === null) return []
  const described = new Map<string, string>(
    Object.values(endpoints).map(({ path, description }) => [path, description]),
  )
  const prices = (await presentPrices(app, app.paymentsTo)).filter(({ enabled }) => enabled)
  return Promise.all(
    prices.map(async ({ path, price: amount, recipient: payTo }) => ({
      path,
      description: described.get(path) ?? path,
      requirement: await facilitator.requirement({ amount, payTo, maxTimeoutSeconds }),
    })),
  )
}
