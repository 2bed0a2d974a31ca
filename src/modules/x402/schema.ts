// GraphQL: the paid endpoints with their prices, and the change of prices.
import { AppError } from '../../core/errors.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { runVerb } from '../../kit/verb.ts'
import type { PaymentFacilitator } from '../../ports/payment-facilitator.ts'
import { type Price, presentPrices } from './prices.ts'
import { setPrices } from './set-prices.ts'

type Priced = Price & { currency: string; network: string; asset: string }

const PriceType = builder.objectRef<Priced>('PaidEndpoint').implement({
  description: 'An endpoint that is paid for by x402.',
  fields: t => ({
    path: t.exposeString('path', { description: 'REST path of the endpoint.' }),
    price: t.expose('price', { type: 'Decimal', description: 'In units of the token.' }),
    currency: t.exposeString('currency', { description: 'The token’s ticker.' }),
    network: t.exposeString('network', { description: 'CAIP-2 id of the token’s network.' }),
    asset: t.expose('asset', { type: 'Address', description: 'The token’s contract, lower-case.' }),
    recipient: t.expose('recipient', { type: 'Address', description: 'The recipient’s address, lower-case.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the endpoint can be bought at present.' }),
  }),
})

async function pricesOf({ pool, paymentsTo }: Context, facilitator: PaymentFacilitator): Promise<Priced[]> {
  const { network, asset } = facilitator
  const { symbol: currency } = await facilitator.token()
  return (await presentPrices({ pool }, paymentsTo)).map(price => ({ ...price, currency, network, asset }))
}

builder.queryField('pricing', t =>
  t.field({
    type: [PriceType],
    description: 'All paid endpoints with their current prices, disabled ones included.',
    access: 'public',
    errors: ['payments_disabled', 'chain_unavailable'],
    resolve: (_, __, context) => {
      if (context.facilitator === null) throw new AppError('payments_disabled')
      return pricesOf(context, context.facilitator)
    },
  }),
)

mutation('setPrices', {
  ...performs(setPrices),
  description: 'Changes prices, from the next challenge on.',
  takes: 'Prices to change.',
  errors: ['validation_failed', 'chain_unavailable'],
  run: async (context, input) => {
    await runVerb(context, setPrices, input)
    return {}
  },
  payload: t => ({
    prices: t.field({
      type: [PriceType],
      nullable: true,
      description: 'All paid endpoints with their prices from now on; null while payments are disabled.',
      resolve: (_, __, context) => context.facilitator && pricesOf(context, context.facilitator),
    }),
  }),
})
