// The GraphQL types for rates and fiat equivalents, and the paid query for a rate.
import { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import { paidField } from '../x402/field.ts'
import { type LookedUpRate, lookUpRate, ratePair } from './lookup.ts'

const FxRateType = builder.objectRef<LookedUpRate>('FxRate').implement({
  description: 'What one currency is worth in another.',
  fields: t => ({
    baseCurrency: t.exposeString('baseCurrency', { description: 'The base currency, of which one unit is valued.' }),
    quoteCurrency: t.exposeString('quoteCurrency', { description: 'The quote currency, in which the rate is stated.' }),
    rate: t.expose('rate', {
      type: 'Decimal',
      description: 'Units of `quoteCurrency` for one unit of `baseCurrency`.',
    }),
    source: t.exposeString('source', { description: 'The rate provider, and the figures it used.' }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'Time of the oldest of those figures.' }),
  }),
})

const answer = z.object({
  baseCurrency: z.string(),
  quoteCurrency: z.string(),
  rate: z.string(),
  source: z.string(),
  asOf: z.coerce.date<Date>(),
})

const StatusEnum = builder.enumType('FiatEquivalentStatus', {
  description: 'Whether a fiat equivalent is known, or why not.',
  values: {
    waiting: { description: 'No rate provider could be reached; the service asks again for an hour.' },
    known: { description: 'The equivalent is known.' },
    unknown: { description: 'No provider knows a rate for the label, or the project used too many labels in an hour.' },
    ambiguous: {
      description:
        'The label is also a currency code, and the organisation’s configuration does not map it to that currency.',
    },
    unavailable: { description: 'No provider could be reached for an hour, so the receipt has no equivalent.' },
    too_large: { description: 'The equivalent has more than 20 digits before the point.' },
  },
})

builder.prismaObject('FiatEquivalent', {
  description: 'The value of a receipt’s amount in a currency. Computed once and sealed with the receipt.',
  fields: t => ({
    status: t.expose('state', { type: StatusEnum, description: 'Whether the equivalent is known, or why not.' }),
    currency: t.exposeString('currency', { description: 'The currency of the equivalent, ISO 4217.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      nullable: true,
      description: 'The receipt’s amount times `rate`, rounded half to even to 18 fraction digits. Null unless known.',
    }),
    rate: t.expose('rate', {
      type: 'Decimal',
      nullable: true,
      description: 'Units of `currency` for one unit of `rateOf`. Null unless known.',
    }),
    rateOf: t.exposeString('rateOf', {
      nullable: true,
      description: 'The unit that `rate` values: the asset label, or the ISO 4217 code that the label is mapped to.',
    }),
    source: t.exposeString('source', { nullable: true, description: 'The rate provider, and the figures it used.' }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the oldest of those figures.',
    }),
  }),
})

builder.prismaObjectField('Receipt', 'fiatEquivalent', t =>
  t.relation('fiatEquivalent', {
    nullable: true,
    description:
      'The value of the amount in the base currency of `fxPolicy`; null if the policy requires none, and until a rate is queried.',
  }),
)

builder.queryField('premiumFxRate', t =>
  t.field({
    type: FxRateType,
    ...paidField({
      description: 'What one currency is worth in another.',
      errors: ['validation_failed', 'fx_pair_unknown', 'fx_unavailable'],
      args: ratePair,
      endpoint: 'fxLookup',
      input: ratePair,
      output: answer,
      // Refuses a pair that no provider knows before the caller is charged.
      admit: async (context, pair) => void (await lookUpRate(context, pair)),
      run: lookUpRate,
    }),
  }),
)
