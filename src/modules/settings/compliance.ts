// Compliance policy: which providers check each payment before its receipt is sealed, and whether their decisions are
// binding.
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
      'The travel rule applies from this amount on, in units of the currency that `mapping.assets` assigns to the asset. Payments in an asset without a currency are always checked, because their value is unknown. Unless given, all payments are checked.',
    ),
    travelRuleProvider: or(provider, null).describe(
      'The provider of travel rule checks, by a name of COMPLIANCE_PROVIDERS; none unless given.',
    ),
    travelRuleEnforce: or(flag, false).describe(
      'Whether a denial fails the receipt, and the receipt waits until the provider answers; no unless given.',
    ),
    sanctionsProvider: or(provider, null).describe(
      'The provider of sanctions checks, by a name of COMPLIANCE_PROVIDERS; none unless given.',
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
    description: 'Which providers check each payment, and whether their decisions are binding.',
  })
