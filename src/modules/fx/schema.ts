// What GraphQL shows of rates: a look-up that is paid for.
import { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import { paidField } from '../payments/field.ts'
import { type LookedUpRate, lookUpRate, ratePair } from './lookup.ts'

const FxRateType = builder.objectRef<LookedUpRate>('FxRate').implement({
  description: 'What one currency is worth in another.',
  fields: t => ({
    baseCcy: t.exposeString('baseCcy', { description: 'Of which one unit is valued.' }),
    quoteCcy: t.exposeString('quoteCcy', { description: 'In which it is valued.' }),
    rate: t.expose('rate', { type: 'Decimal', description: 'Units of `quoteCcy` for one of `baseCcy`.' }),
    source: t.exposeString('source', { description: 'Who says so, and of which figures it was made.' }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'When the oldest of those figures was true.' }),
  }),
})

const answer = z.object({
  baseCcy: z.string(),
  quoteCcy: z.string(),
  rate: z.string(),
  source: z.string(),
  asOf: z.coerce.date<Date>(),
})

const StateEnum = builder.enumType('FiatEquivalentState', {
  description: 'Whether a fiat equivalent is known, or why not.',
  values: {
    waiting: { description: 'No provider of rates could be asked; it is tried again for five minutes.' },
    known: { description: 'It is known.' },
    unknown: { description: 'No provider knows a rate of this asset label, or the project has too many labels.' },
    ambiguous: {
      description:
        'The label is also a currency code, and the organisation’s configuration does not map it to that currency.',
    },
    unavailable: { description: 'No provider could be asked for five minutes, so the receipt went on without.' },
    too_large: { description: 'It has more than 20 digits before the point.' },
  },
})

builder.prismaObject('FiatEquivalent', {
  description: 'What a receipt was worth in a currency. Computed once and sealed with it.',
  fields: t => ({
    state: t.expose('state', { type: StateEnum, description: 'Whether it is known, or why not.' }),
    currency: t.exposeString('currency', { description: 'In which currency, ISO 4217.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      nullable: true,
      description: 'The receipt’s amount times `rate`, rounded half to even to 18 fraction digits. Null unless known.',
    }),
    rate: t.expose('rate', {
      type: 'Decimal',
      nullable: true,
      description: 'Units of `currency` for one of `rateOf`. Null unless known.',
    }),
    rateOf: t.exposeString('rateOf', {
      nullable: true,
      description: 'The rate is that of one unit of this: the asset label, or the ISO 4217 code that it is mapped to.',
    }),
    source: t.exposeString('source', { nullable: true, description: 'Who gave the rate, and of which figures.' }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      nullable: true,
      description: 'When the oldest of those figures was true.',
    }),
  }),
})

builder.prismaObjectField('Receipt', 'fiatEquivalent', t =>
  t.relation('fiatEquivalent', {
    nullable: true,
    description:
      'What it was worth in the base currency of `fxPolicy`; null where that asks for none, and until a rate was asked for.',
  }),
)

builder.queryField('premiumFxRate', t =>
  t.field({
    type: FxRateType,
    ...paidField({
      description: 'What one currency is worth in another.',
      errors: 'validation_failed, fx_pair_unknown, fx_unavailable',
      args: ratePair,
      endpoint: 'fxLookup',
      input: ratePair,
      output: answer,
      // A pair that nobody knows is not charged for.
      admit: async (context, pair) => void (await lookUpRate(context, pair)),
      run: lookUpRate,
    }),
  }),
)
