// The organisation's policy for the check of payments on their own chains, and what of it applies to a project.
import { z } from 'zod'
import type { SettlementPolicy } from '../../core/settlement.ts'
import type { ProjectConfig } from '../projects/config.ts'
import { or } from '../projects/party.ts'
import { policies, settlementAssets } from '../projects/settlement-policy.ts'

// A transaction that was sent is known to nodes within minutes, and a block that is lost comes back within an hour.
const usualGrace = 60

export const organisationSettlement = z
  .strictObject({
    policy: or(
      z.enum(['record', 'require', 'off']).meta({
        graphql: 'SettlementPolicy',
        description: 'What follows from the check of a payment on its own chain.',
        values: policies,
      }),
      'record',
    ).describe('What follows from the check of a payment on its own chain; `RECORD` unless given.'),
    graceMinutes: or(z.int().min(1).max(10_080).meta({ graphql: 'Int' }), usualGrace).describe(
      'With `REQUIRE`: after so many minutes a receipt whose transaction no node knows fails; 60 unless given.',
    ),
    assets: settlementAssets.describe(
      'The assets that labels mean on their chains, beside those that the service knows.',
    ),
  })
  .meta({
    graphql: 'OrganisationSettlement',
    description: 'How payments are checked on their own chains before they are sealed.',
  })
type OrganisationSettlement = z.output<typeof organisationSettlement>

export type SettlementRules = {
  policy: SettlementPolicy
  graceMinutes: number
  /** Those of the organisation come before those of the project, which cannot change them. */
  assets: OrganisationSettlement['assets']
}

export const settlementRulesOf = (
  organisation: OrganisationSettlement,
  { policy, assets }: ProjectConfig['settlement'],
): SettlementRules => ({
  policy: policy === 'organisation' ? organisation.policy : policy,
  graceMinutes: organisation.graceMinutes,
  assets: [...organisation.assets, ...assets],
})
