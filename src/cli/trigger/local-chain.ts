// Checks that the service anchors on a local chain only, as its public /.well-known/evidence-keys.json says.
import { z } from 'zod'
import { visible } from '../../core/visible.ts'
import { chainId } from '../../embedded/anvil.ts'
import { CommandError } from '../command.ts'
import { ask, projectOf, query, type Service } from '../service.ts'

// The id of anvil and hardhat, which no public chain has.
const local = `eip155:${chainId}`

const evidenceKeys = z.object({ chains: z.array(z.object({ name: z.string(), caip2: z.string().nullable() })) })
const anchoring = z.object({ executionMode: z.enum(['PLATFORM', 'TENANT']) })
const own = z.object({ node: z.object({ config: z.object({ anchoring }) }) })

/** Throws CommandError when a chain of the service is not local, or may not be. */
export async function demandLocalChain(service: Service): Promise<void> {
  const { chains } = await ask(service, 'GET', '/.well-known/evidence-keys.json', evidenceKeys)
  const other = chains.find(({ caip2 }) => caip2 !== local)
  if (other !== undefined || chains.length === 0) {
    const named = other === undefined ? 'an unknown chain' : visible(`${other.name} (${other.caip2 ?? 'unknown id'})`)
    throw new CommandError(
      `${service.url} anchors on ${named}: an invented payment is anchored on a local chain (${local}) only.`,
    )
  }
  const document = 'query ($id: ID!) { node(id: $id) { ... on Project { config { anchoring { executionMode } } } } }'
  const { node } = await query(service, document, own, { id: await projectOf(service) })
  if (node.config.anchoring.executionMode === 'TENANT') {
    throw new CommandError(
      'The project anchors by itself (tenant mode), on a chain of its choice: an invented payment is not recorded there.',
    )
  }
}
