// Current prices of the paid endpoints.
import { plainAmount } from '../../core/amount.ts'
import type { App } from '../../kit/context.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { type Endpoint, endpoints } from './endpoints.ts'

export type Price = {
  path: string
  /** In units of the token. */
  price: string
  /** Address that is paid. */
  recipient: string
  enabled: boolean
}

type Setting = { path: string; price: string | null; recipient: string | null; enabled: boolean | null }

/** Returns all prices in the order of `endpoints`. `payTo` is the recipient unless a setting names another. */
export async function presentPrices({ pool }: Pick<App, 'pool'>, payTo: string): Promise<Price[]> {
  const rows = await sqlOf(pool)<Setting>(
    'select path, price::text, recipient, enabled from price_settings',
    [],
    'prices',
  )
  const settings = new Map(rows.map(setting => [setting.path, setting]))
  return Object.values(endpoints).map(({ path, price }) => {
    const setting = settings.get(path)
    return {
      path,
      price: plainAmount(setting?.price ?? price),
      recipient: setting?.recipient ?? payTo,
      enabled: setting?.enabled ?? true,
    }
  })
}

export async function priceOf(app: Pick<App, 'pool'>, endpoint: Endpoint, payTo: string): Promise<Price> {
  const price = (await presentPrices(app, payTo)).find(({ path }) => path === endpoints[endpoint].path)
  if (price === undefined) throw new Error(`${endpoint} has no price`)
  return price
}
