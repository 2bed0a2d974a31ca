// What GraphQL shows of rates: a look-up that is paid for.
import { z } from 'zod'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { paidErrors, pay } from '../payments/pay.ts'
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
    description: `What one currency is worth in another. Paid for by x402. Errors: ${paidErrors}, validation_failed, fx_pair_unknown, fx_unavailable, chain_unavailable.`,
    args: argumentsOf(ratePair),
    extensions: { access: 'public', input: ratePair },
    complexity: 200,
    resolve: (_, args, context) =>
      pay(
        context,
        {
          endpoint: 'fxLookup',
          input: ratePair,
          output: answer,
          // A pair that nobody knows is not charged for.
          admit: async (_context, pair) => void (await lookUpRate(context, pair)),
          run: (_context, pair) => lookUpRate(context, pair),
        },
        args,
      ),
  }),
)
