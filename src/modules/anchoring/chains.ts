// Resolves a stored chain name to a chain client, and defines the queues in which anchors are sent and confirmed.
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { type Block, type Job, jobs } from '../../kit/jobs.ts'
import type { AnchorAccount, Chain } from '../../ports/chain.ts'
import { configOf } from '../projects/config.ts'

/** Returns a chain that the service itself configures. */
export function chainNamed(app: App, name: string): Chain {
  const chain = app.chains.find(candidate => candidate.name === name)
  if (chain === undefined) throw new Error(`no chain is configured under the name ${name}`)
  return chain
}

export function anchorAccountOf({ name, account }: Chain): AnchorAccount {
  if (account === null) throw new Error(`no private key is configured for chain ${name}`)
  return account
}

/**
 * Returns the chain and contract that a project anchors on by itself; null when neither the service nor the project
 * configures the chain. A chain name of the service always uses the service's own nodes.
 */
export async function projectChain(
  app: App,
  projectId: string,
  name: string,
): Promise<{ chain: Chain; contract: string } | null> {
  const project = await app.db.project.findUniqueOrThrow({ where: { id: projectId }, select: { config: true } })
  const named = configOf(project.config).anchoring.chains.find(one => one.name === name)
  const own = app.chains.find(chain => chain.name === name)
  if (own !== undefined) return { chain: own, contract: named?.contract ?? own.contract }
  if (!named?.rpcUrl || named.contract === null) return null
  const chain = app.openProjectChain({ name, rpcUrl: named.rpcUrl, contract: named.contract })
  return { chain: { ...chain, transaction: plausible(chain) }, contract: named.contract }
}

// The largest GraphQL Int. A project's node is untrusted and may return any number, which must not break queries that
// list the anchors of all projects.
const highestBlock = 2 ** 31 - 1

const plausible =
  ({ name, transaction }: Chain): Chain['transaction'] =>
  async txid => {
    const mined = await transaction(txid)
    if (mined === null || (isNatural(mined.blockNumber) && mined.blockTime.getTime() >= 0)) return mined
    throw new AppError('chain_unavailable', `The node of chain ${name} returned an impossible block number or time.`)
  }

const isNatural = (blockNumber: number) => blockNumber >= 0 && blockNumber <= highestBlock

// A project's node is untrusted and may hang. The jobs of one project that ask it share one queue, and those of all
// projects share three, so that other jobs keep free workers.
const projectQueues = 3
export const projectQueue = (projectId: string) =>
  `projects:${Number.parseInt(projectId.slice(0, 8), 16) % projectQueues}`

/** Returns the job that follows a transaction until it is final or given up. */
export function confirmJob(
  { chains }: Pick<App, 'chains'>,
  { id, chain, projectId }: { id: string; chain: string; projectId: string | null },
  { afterMs = 0, overtakenAt }: { afterMs?: number; overtakenAt?: Block | undefined } = {},
): Job {
  const isOurs = projectId === null || chains.some(({ name }) => name === chain)
  const payload = { transaction: id, ...(overtakenAt && { overtakenAt }) }
  return jobs.confirm(payload, { afterMs, ...(!isOurs && { queue: projectQueue(projectId) }) })
}
