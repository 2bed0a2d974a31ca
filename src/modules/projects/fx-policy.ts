// FX policy of a project: in which currency its receipts are valued, by its own choice or the organisation's.
import { z } from 'zod'
import { currencyCode } from '../../core/iso-text.ts'
import { or } from './party.ts'

/** Returns whether a base currency is given if the mode uses a base currency, and only then. */
export const hasItsCurrency = ({ mode, baseCurrency }: { mode: string; baseCurrency: string | null }): boolean =>
  (mode === 'at_record') === (baseCurrency !== null)

export const currencyFault = {
  error: 'Mode `at_record` needs a base currency, and no other mode accepts a base currency.',
  path: ['baseCurrency'],
}

export const projectFxPolicy = z
  .strictObject({
    mode: or(
      z.enum(['organisation', 'none', 'at_record']).meta({
        graphql: 'ProjectFxMode',
        description: 'Whether receipts of a project are valued in a currency.',
        values: {
          organisation: 'As the organisation’s configuration says.',
          none: 'They are not valued.',
          at_record: 'Once, after they are recorded.',
        },
      }),
      'organisation',
    ).describe(
      'Whether its receipts are valued in `baseCurrency` once they are recorded; as the organisation’s unless given.',
    ),
    baseCurrency: or(currencyCode, null).describe('Currency of the valuation, ISO 4217. With `AT_RECORD` only.'),
  })
  .refine(hasItsCurrency, currencyFault)
  .meta({
    graphql: 'ProjectFxPolicy',
    description:
      'The policy of a project for fiat equivalents of its receipts. Rates come from the organisation’s provider.',
  })
export type ProjectFxPolicy = z.output<typeof projectFxPolicy>
