// Current prices of the paid endpoints.
import { plainAmount } from '../../core/amount.ts'
import type { App } from '../../kit/context.ts'
import { type Endpoint, endpoints } from './endpoints.ts'

export type Price = {
  path: string
  /** In units of the token. */
  price: string
  /** Address that is paid. */
  recipient: string
  enabled: boolean
}

/** Returns all prices in the order of `endpoints`. `payTo` is the recipient unless a setting names another. */
export async function presentPrices({ db }: Pick<App, 'db'>, payTo: string): Promise<Price[]> {
  const settings = new Map((await db.priceSetting.findMany()).map(setting => [setting.path, setting]))
  return Object.values(endpoints).map(({ path, price }) => {
    const setting = settings.get(path)
    return {
      path,
      price: plainAmount(setting?.price?.toFixed() ?? price),
      recipient: setting?.recipient ?? payTo,
      enabled: setting?.enabled ?? true,
    }
  })
}

export async function priceOf(app: Pick<App, 'db'>, endpoint: Endpoint, payTo: string): Promise<Price> {
  const price = (await presentPrices(app, payTo)).find(({ path }) => path === endpoints[endpoint].path)
  if (price === undefined) throw new Error(`${endpoint} has no price`)
  return price
}
