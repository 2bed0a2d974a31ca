// Changing a project's configuration. Every chain is looked at first: the service's own, or a stranger's node through the
// guarded client.
import { z } from 'zod'
import { type Issue, invalid, notFound } from '../../core/errors.ts'
import { actorOf, type Principal } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { App } from '../../kit/context.ts'
import { verb } from '../../kit/verb.ts'
import type { PublicFetch } from '../../ports/public-fetch.ts'
import { type ProjectChain, projectConfig } from './config.ts'

export const configureProjectInput = z.strictObject({
  projectId: uuid.describe('The project’s UUID.'),
  ...projectConfig.shape,
})

const limits = { maxBytes: 1 << 20, timeoutMs: 5_000 }
const rpcAnswer = z.object({ result: z.string().regex(/^0x[0-9a-f]*$/i) })

/** The result of one JSON-RPC question, or null for whatever went wrong. */
async function askNode(
  fetchPublic: PublicFetch,
  url: string,
  method: string,
  params: unknown[],
): Promise<string | null> {
  const bytes = await fetchPublic(url, { ...limits, json: { jsonrpc: '2.0', id: 1, method, params } })
  try {
    return rpcAnswer.parse(JSON.parse(bytes?.toString('utf8') ?? '')).result
  } catch {
    return null
  }
}

type Fault = { member: keyof ProjectChain; message: string } | null

async function faultOf({ chains, fetchPublic }: App, { name, contract, rpcUrl }: ProjectChain): Promise<Fault> {
  const known = chains.find(chain => chain.name === name)
  if (known !== undefined) {
    if (rpcUrl !== null) return { member: 'rpcUrl', message: 'This service asks its own nodes about this chain.' }
    if (contract === null || (await known.hasCode(contract))) return null
    return { member: 'contract', message: 'There is no contract at this address on this chain.' }
  }
  if (rpcUrl === null) return { member: 'name', message: 'This service does not know this chain: give an rpc url.' }
  if (contract === null) return { member: 'contract', message: 'A chain of your own needs its contract.' }
  const code = await askNode(fetchPublic, rpcUrl, 'eth_getCode', [contract, 'latest'])
  if (code === null) return { member: 'rpcUrl', message: 'No answer could be had from this address.' }
  return code === '0x' ? { member: 'contract', message: 'There is no contract at this address on this chain.' } : null
}

/** Throws `not_found` for a project that is not the caller's to manage. */
export function demandOwn(principal: Principal, projectId: string): void {
  if (principal.kind === 'admin' || (principal.kind === 'key' && principal.projectId === projectId)) return
  throw notFound('project')
}

/** Errors: `forbidden`, `not_found`, `validation_failed`, `chain_unavailable`. */
export const configureProject = verb({
  name: 'project.configure',
  access: 'manage',
  input: configureProjectInput,
  async prepare({ projectId, anchoring }, context) {
    demandOwn(context.principal, projectId)
    const faults = await Promise.all(anchoring.chains.map(chain => faultOf(context, chain)))
    const issues = faults.flatMap((fault, index): Issue[] =>
      fault === null
        ? []
        : [
            {
              path: ['input', 'anchoring', 'chains', index, fault.member],
              message: fault.message,
              type: 'value_error',
            },
          ],
    )
    if (issues.length > 0) throw invalid(issues)
  },
  async run(tx, { projectId, anchoring }, { principal }) {
    const { count } = await tx.db.project.updateMany({ where: { id: projectId }, data: { config: { anchoring } } })
    if (count === 0) throw notFound('project')
    tx.audit({
      action: 'project.configure',
      objectType: 'project',
      objectId: projectId,
      projectId,
      actor: actorOf(principal),
      details: { execution_mode: anchoring.executionMode, chains: anchoring.chains.map(({ name }) => name) },
    })
    return { anchoring }
  },
})
