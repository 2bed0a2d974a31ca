// FX policy: whether receipts get a fiat equivalent, in which currency, and from which provider's rates.
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
        description: 'Whether receipts are valued in a currency.',
        values: { none: 'They are not valued.', at_record: 'Once, after they are recorded.' },
      }),
      'none',
    ).describe('Whether receipts are valued in `baseCurrency` once they are recorded; `NONE` unless given.'),
    baseCurrency: or(currencyCode, null).describe('Currency of the valuation, ISO 4217. With `AT_RECORD` only.'),
    provider: or(text(64), null).describe(
      'The only provider of rates to query, by its name (`chainlink`, `http`, `ecb`), also for projects that decide the rest themselves; each provider in order unless given.',
    ),
  })
  .refine(hasItsCurrency, currencyFault)
  .meta({ graphql: 'FxPolicy', description: 'Whether receipts get a fiat equivalent, and the provider of its rates.' })
export type FxPolicy = z.output<typeof fxPolicy>

/** Returns the policy for a project. The organisation chooses the provider, because the organisation pays for rates. */
export const fxPolicyOf = (organisation: FxPolicy, { mode, baseCurrency }: ProjectFxPolicy): FxPolicy =>
  mode === 'organisation' ? organisation : { ...organisation, mode, baseCurrency }
