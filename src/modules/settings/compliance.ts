// Who is asked about each payment before it is written up, and whether what they say is binding.
import { z } from 'zod'
import { amount } from '../../core/amount.ts'
import { or } from '../projects/party.ts'

const provider = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Must be the name of a provider that the service is set up with.')
  .meta({ graphql: 'String', pattern: '^[a-z0-9][a-z0-9-]{0,39}$' })
const flag = z.boolean().meta({ graphql: 'Boolean' })

const needs = (member: string, what: string) => ({ path: [member], error: `Has no effect without ${what}.` })

export const compliance = z
  .strictObject({
    travelRuleThreshold: or(amount, null).describe(
      'From this amount on the travel rule applies, in units of the currency that `mapping.assets` gives the asset. Of an asset without a currency nobody knows what it is worth: its payments are always asked about, and all are unless given.',
    ),
    travelRuleProvider: or(provider, null).describe(
      'Who is asked about the travel rule, by a name of COMPLIANCE_PROVIDERS; nobody unless given.',
    ),
    travelRuleEnforce: or(flag, false).describe(
      'Whether a denial fails the receipt, and nothing goes on while the provider gives no answer; no unless given.',
    ),
    sanctionsProvider: or(provider, null).describe(
      'Who is asked about sanctions, by a name of COMPLIANCE_PROVIDERS; nobody unless given.',
    ),
    sanctionsEnforce: or(flag, false).describe('The same as `travelRuleEnforce`, for sanctions.'),
  })
  .refine(
    ({ travelRuleThreshold, travelRuleProvider }) => travelRuleThreshold === null || travelRuleProvider !== null,
    needs('travelRuleThreshold', 'a travel rule provider'),
  )
  .refine(
    ({ travelRuleEnforce, travelRuleProvider }) => !travelRuleEnforce || travelRuleProvider !== null,
    needs('travelRuleEnforce', 'a travel rule provider'),
  )
  .refine(
    ({ sanctionsEnforce, sanctionsProvider }) => !sanctionsEnforce || sanctionsProvider !== null,
    needs('sanctionsEnforce', 'a sanctions provider'),
  )
  .meta({
    graphql: 'CompliancePolicy',
    description: 'Who is asked about each payment, and whether what they say is binding.',
  })
