// In which currency a project wants its receipts valued: its own choice, or the organisation's.
import { z } from 'zod'
import { currencyCode } from '../../core/iso-text.ts'
import { or } from './party.ts'

/** Whether a base currency stands where there is one to be used, and only there. */
export const hasItsCurrency = ({ mode, baseCcy }: { mode: string; baseCcy: string | null }): boolean =>
  (mode === 'at_record') === (baseCcy !== null)

export const currencyFault = {
  error: 'Mode `at_record` needs it, and no other mode takes it.',
  path: ['baseCcy'],
}

export const projectFxPolicy = z
  .strictObject({
    mode: or(
      z.enum(['organisation', 'none', 'at_record']).meta({
        graphql: 'ProjectFxMode',
        description:
          'Whether receipts of a project are valued in a currency. `organisation`: as the organisation’s configuration says.',
      }),
      'organisation',
    ).describe(
      'Whether its receipts are valued in `baseCcy` once they are recorded; as the organisation’s unless given.',
    ),
    baseCcy: or(currencyCode, null).describe('In which currency, ISO 4217. With `at_record` only.'),
  })
  .refine(hasItsCurrency, currencyFault)
  .meta({
    graphql: 'ProjectFxPolicy',
    description:
      'What a project decides of its receipts’ fiat equivalents. Rates come from the organisation’s provider.',
  })
export type ProjectFxPolicy = z.output<typeof projectFxPolicy>
