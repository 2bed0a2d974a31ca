// A project's configuration: who sends its anchor transactions and on which chains, what it states about the parties,
// in which currency its receipts are valued, and in which time zone its days are.
import { z } from 'zod'
import { evmAddress, httpUrl, text } from '../../core/text.ts'
import { timeZone, utc } from '../../core/time-zone.ts'
import { projectFxPolicy } from './fx-policy.ts'
import { noParty, or, party } from './party.ts'
import { projectSettlement } from './settlement-policy.ts'

const chain = z
  .strictObject({
    name: text().describe('A chain of the service’s configuration, or any name together with an `rpcUrl`.'),
    contract: or(evmAddress, null).describe(
      'Evidence anchor contract; unless given, the service’s own on a chain of its configuration.',
    ),
    rpcUrl: or(httpUrl, null).describe(
      'JSON-RPC URL of a chain outside the service’s configuration. Shown to PROJECT_ADMIN keys and administrators only.',
    ),
    explorerBaseUrl: or(httpUrl, null).describe('Base URL of a block explorer for this chain.'),
  })
  .meta({ graphql: 'ProjectChain', description: 'A chain on which a project anchors.' })

const anchoring = z
  .strictObject({
    executionMode: z
      .enum(['platform', 'tenant'])
      .meta({
        graphql: 'ExecutionMode',
        description: 'The sender of anchor transactions.',
        values: { platform: 'This service.', tenant: 'The project itself; this service sends none.' },
      })
      .describe(
        '`PLATFORM`: this service anchors. `TENANT`: the project sends its anchors itself, and this service never does.',
      ),
    chains: z
      .array(chain)
      .max(10)
      .refine(chains => new Set(chains.map(({ name }) => name)).size === chains.length, 'Each chain once.')
      .describe(
        'Each receipt is anchored on all of these chains; on those of the organisation’s configuration unless given. In platform mode only chains of the service’s configuration.',
      ),
  })
  .meta({ graphql: 'ProjectAnchoring', description: 'The sender and the chains of a project’s anchor transactions.' })

export const parties = z
  .strictObject({
    initiator: or(
      party.refine(({ name, lei, country }) => country === null || name !== null || lei !== null, {
        error: 'A country needs a name or an LEI beside it.',
        path: ['country'],
      }),
      noParty,
    ).describe('The project itself, which initiates payments and receives statements.'),
    debtor: or(party, noParty).describe('A party that mostly pays. It names its wallets on either side of a payment.'),
    creditor: or(party, noParty).describe(
      'A party that is mostly paid. It names its wallets on either side of a payment.',
    ),
  })
  .meta({
    graphql: 'ProjectParties',
    description:
      'Data that messages state about the parties of a project’s receipts. The project provides the data, the service does not check it, and the evidence says so.',
  })

export const projectConfig = z.strictObject({
  anchoring: anchoring.describe('The sender and the chains of anchor transactions.'),
  parties: or(parties, parties.parse({})).describe('Data that messages state about the parties.'),
  fxPolicy: or(projectFxPolicy, projectFxPolicy.parse({})).describe('Whether its receipts get a fiat equivalent.'),
  settlement: or(projectSettlement, projectSettlement.parse({})).describe(
    'How its payments are checked on their own chains.',
  ),
  timeZone: or(timeZone, utc).describe(
    'Time zone of the days of its statements, by its name in the IANA database; UTC unless given.',
  ),
})
export type ProjectConfig = z.output<typeof projectConfig>
export type ProjectChain = ProjectConfig['anchoring']['chains'][number]

const asSetUp: ProjectConfig = projectConfig.parse({ anchoring: { executionMode: 'platform', chains: [] } })

/** Parses a stored version; null returns the defaults, for a project without a configuration. */
export const configOf = (stored: { config: unknown } | null): ProjectConfig =>
  stored === null ? asSetUp : projectConfig.parse(stored.config)
