// Whether receipts get a fiat equivalent, in which currency, and whose rates it is computed from.
import { z } from 'zod'
import { currencyCode } from '../../core/iso-text.ts'
import { text } from '../../core/text.ts'
import { currencyFault, hasItsCurrency, type ProjectFxPolicy } from '../projects/fx-policy.ts'
import { or } from '../projects/party.ts'

export const fxPolicy = z
  .strictObject({
    mode: or(
      z.enum(['none', 'at_record']).meta({
        graphql: 'FxMode',
        description: 'Whether receipts are valued in a currency. `at_record`: once, after they are recorded.',
      }),
      'none',
    ).describe('Whether receipts are valued in `baseCcy` once they are recorded; `none` unless given.'),
    baseCcy: or(currencyCode, null).describe('In which currency, ISO 4217. With `at_record` only.'),
    provider: or(text(64), null).describe(
      'The one provider of rates to ask, by its name (`chainlink`, `http`, `ecb`), also for projects that decide the rest themselves; each in order unless given.',
    ),
  })
  .refine(hasItsCurrency, currencyFault)
  .meta({ graphql: 'FxPolicy', description: 'Whether receipts get a fiat equivalent, and by whose rates.' })
export type FxPolicy = z.output<typeof fxPolicy>

/** As it holds for a project. Whom to ask stays the organisation's choice, because it pays for the answers. */
export const fxPolicyOf = (organisation: FxPolicy, { mode, baseCcy }: ProjectFxPolicy): FxPolicy =>
  mode === 'organisation' ? organisation : { ...organisation, mode, baseCcy }
