// Whether the payments of receipts are checked on their own chains, what follows from it, and which assets labels mean.
import { z } from 'zod'
import type { Issue } from '../../core/errors.ts'
import { contradictions, type LabelledAsset } from '../../core/known-assets.ts'
import { assetOf } from '../../core/settlement.ts'
import { text } from '../../core/text.ts'
import { or } from './party.ts'

const asset = z
  .strictObject({
    label: text().describe('The asset label, exactly as recorded in receipts.'),
    caip19: text()
      .refine(
        id => assetOf(id, 0) !== null,
        'Must be a CAIP-19 id such as eip155:8453/erc20:0x… or eip155:1/slip44:60.',
      )
      .describe(
        'The asset by CAIP-19: a token (`eip155:8453/erc20:0x…`) or the chain’s own currency (`eip155:1/slip44:60`).',
      ),
    decimals: z.int().min(0).max(77).meta({ graphql: 'Int' }).describe('Decimals of the asset on its chain.'),
  })
  .meta({ graphql: 'SettlementAsset', description: 'The asset on its chain that a label means.' })

const chainOf = (id: string) => assetOf(id, 0)?.caip2

export const settlementAssets = or(
  z
    .array(asset)
    .max(200)
    .refine(
      assets =>
        new Set(assets.map(({ label, caip19 }) => JSON.stringify([label, chainOf(caip19)]))).size === assets.length,
      'Each label once on each chain.',
    ),
  [],
)

export const policies = {
  record: 'The result is noted and blocks nothing.',
  require: 'Only a receipt whose payment is confirmed is sealed; one that is contradicted fails.',
  off: 'Payments are not checked.',
}

export const projectSettlement = z
  .strictObject({
    policy: or(
      z.enum(['organisation', 'record', 'require', 'off']).meta({
        graphql: 'ProjectSettlementPolicy',
        description: 'What follows from the check of a payment on its own chain, for a project.',
        values: { organisation: 'As the organisation’s configuration says.', ...policies },
      }),
      'organisation',
    ).describe('What follows from the check of a payment on its own chain; as the organisation’s unless given.'),
    assets: settlementAssets.describe(
      'The assets that labels mean on their chains. A label that the service or the organisation knows keeps its meaning.',
    ),
  })
  .meta({ graphql: 'ProjectSettlement', description: 'How the payments of a project are checked on their own chains.' })

/** Returns an issue for each asset that gives a label another meaning than it has. */
export const assetIssues = (
  assets: readonly LabelledAsset[],
  fixed: readonly LabelledAsset[],
  path: Issue['path'],
): Issue[] =>
  contradictions(assets, fixed).map(({ index, meant }) => ({
    path: [...path, index, 'caip19'],
    message: `${meant.label} means ${meant.caip19} with ${meant.decimals} decimals on this chain, and nothing else.`,
    type: 'value_error',
  }))
