// A project's configuration: who sends its anchor transactions, and on which chains.
import { z } from 'zod'
import { httpUrl, text } from '../../core/text.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'Must be 0x followed by 40 hex digits.')
  .transform(value => value.toLowerCase())
  .meta({ graphql: 'String', pattern: '^0x[0-9a-fA-F]{40}$' })

const orNull = <Type extends z.ZodType>(type: Type) => type.nullish().transform(value => value ?? null)

const chain = z
  .strictObject({
    name: text().describe('A chain this service knows, or any name with an `rpcUrl` beside it.'),
    contract: orNull(address).describe('Evidence anchor contract; the service’s own on a chain it knows unless given.'),
    rpcUrl: orNull(httpUrl).describe('JSON-RPC address of a chain this service does not know. Shown to managers only.'),
    explorerBaseUrl: orNull(httpUrl).describe('Where people look at transactions of this chain.'),
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

export const projectConfig = z.strictObject({ anchoring: anchoring.describe('Who anchors, and where.') })
export type ProjectConfig = z.output<typeof projectConfig>
export type ProjectChain = ProjectConfig['anchoring']['chains'][number]

const asSetUp: ProjectConfig = { anchoring: { executionMode: 'platform', chains: [] } }

/** Of a project's row. */
export const configOf = (stored: unknown): ProjectConfig => (stored === null ? asSetUp : projectConfig.parse(stored))
