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
