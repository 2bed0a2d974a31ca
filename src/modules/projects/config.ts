// A project's configuration: who sends its anchor transactions and on which chains, what it says of the parties, and in
// which currency its receipts are valued.
import { z } from 'zod'
import { httpUrl, text } from '../../core/text.ts'
import { projectFxPolicy } from './fx-policy.ts'
import { noParty, or, party } from './party.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'Must be 0x followed by 40 hex digits.')
  .transform(value => value.toLowerCase())
  .meta({ graphql: 'String', pattern: '^0x[0-9a-fA-F]{40}$' })

const chain = z
  .strictObject({
    name: text().describe('A chain this service knows, or any name with an `rpcUrl` beside it.'),
    contract: or(address, null).describe(
      'Evidence anchor contract; the service’s own on a chain it knows unless given.',
    ),
    rpcUrl: or(httpUrl, null).describe(
      'JSON-RPC address of a chain this service does not know. Shown to managers only.',
    ),
    explorerBaseUrl: or(httpUrl, null).describe('Where people look at transactions of this chain.'),
  })
  .meta({ graphql: 'ProjectChain', description: 'A chain on which a project anchors.' })

const anchoring = z
  .strictObject({
    executionMode: z
      .enum(['platform', 'tenant'])
      .meta({ graphql: 'ExecutionMode', description: 'Who sends anchor transactions: the service, or the project.' })
      .describe(
        '`platform`: this service anchors. `tenant`: the project sends its anchors itself, and this service never does.',
      ),
    chains: z
      .array(chain)
      .max(10)
      .refine(chains => new Set(chains.map(({ name }) => name)).size === chains.length, 'Each chain once.')
      .describe(
        'On which chains its receipts are anchored, all of them; those of the organisation’s configuration unless given. In platform mode only chains the service knows.',
      ),
  })
  .meta({ graphql: 'ProjectAnchoring', description: 'Who anchors a project’s receipts, and where.' })

export const parties = z
  .strictObject({
    initiator: or(
      party.refine(({ name, lei, country }) => country === null || name !== null || lei !== null, {
        error: 'A country needs a name or an LEI beside it.',
        path: ['country'],
      }),
      noParty,
    ).describe('The project itself: it initiates payments and is sent statements.'),
    debtor: or(party, noParty).describe('Payers of its receipts, beside their wallet.'),
    creditor: or(party, noParty).describe('Recipients of its receipts, beside their wallet.'),
  })
  .meta({
    graphql: 'ProjectParties',
    description:
      'What messages say of the parties of a project’s receipts. The project states it, nobody checks it, and its evidence says so.',
  })

export const projectConfig = z.strictObject({
  anchoring: anchoring.describe('Who anchors, and where.'),
  parties: or(parties, parties.parse({})).describe('What messages say of the parties.'),
  fxPolicy: or(projectFxPolicy, projectFxPolicy.parse({})).describe('Whether its receipts get a fiat equivalent.'),
})
export type ProjectConfig = z.output<typeof projectConfig>
export type ProjectChain = ProjectConfig['anchoring']['chains'][number]

const asSetUp: ProjectConfig = projectConfig.parse({ anchoring: { executionMode: 'platform', chains: [] } })

/** Of a version that is stored; null is a project that nobody has configured. */
export const configOf = (stored: { config: unknown } | null): ProjectConfig =>
  stored === null ? asSetUp : projectConfig.parse(stored.config)
