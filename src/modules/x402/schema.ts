// GraphQL: the paid endpoints with their prices, and the change of prices.
import { AppError } from '../../core/errors.ts'
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { type Price, presentPrices } from './prices.ts'
import { setPrices, setPricesInput } from './set-prices.ts'

type Priced = Price & { currency: string; network: string; asset: string }

const PriceType = builder.objectRef<Priced>('PaidEndpoint').implement({
  description: 'An endpoint that is paid for by x402.',
  fields: t => ({
    path: t.exposeString('path', { description: 'REST path of the endpoint.' }),
    price: t.expose('price', { type: 'Decimal', description: 'In units of the token.' }),
    currency: t.exposeString('currency', { description: 'The token’s ticker.' }),
    network: t.exposeString('network', { description: 'CAIP-2 id of the token’s network.' }),
    asset: t.exposeString('asset', { description: 'The token’s contract, lower-case.' }),
    recipient: t.exposeString('recipient', { description: 'The recipient’s address, lower-case.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the endpoint can be bought at present.' }),
  }),
})

builder.queryField('pricing', t =>
  t.field({
    type: [PriceType],
    description: 'All paid endpoints with their current prices, disabled ones included.',
    access: 'public',
    errors: ['payments_disabled', 'chain_unavailable'],
    resolve: async (_, __, { facilitator, paymentsTo, db }) => {
      if (facilitator === null) throw new AppError('payments_disabled')
      const { network, asset } = facilitator
      const { symbol: currency } = await facilitator.token()
      return (await presentPrices({ db }, paymentsTo)).map(price => ({ ...price, currency, network, asset }))
    },
  }),
)

const PricesInput = inputType('SetPricesInput', 'Prices to change.', setPricesInput)

const UpdateType = builder.objectRef<object>('PricingUpdate').implement({
  description: 'Confirmation that prices were changed.',
  fields: t => ({ status: t.string({ description: 'Always `updated`.', resolve: () => 'updated' }) }),
})

builder.mutationField('setPrices', t =>
  t.field({
    type: UpdateType,
    description: 'Changes prices, from the next challenge on. For service administrators.',
    args: { input: t.arg({ type: PricesInput, required: true }) },
    ...declarationOf(setPrices),
    errors: ['validation_failed', 'chain_unavailable'],
    resolve: async (_, { input }, context) => {
      await runVerb(context, setPrices, input)
      return {}
    },
  }),
)
