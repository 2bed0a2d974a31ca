// Which chain a stored name means, and the lanes in which anchors are sent and followed.
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import { type Block, type Job, jobs } from '../../kit/jobs.ts'
import type { Chain, Sender } from '../../ports/chain.ts'
import { configOf } from '../projects/config.ts'

/** One of the service's own. */
export function chainNamed(app: App, name: string): Chain {
  const chain = app.chains.find(candidate => candidate.name === name)
  if (chain === undefined) throw new Error(`no chain is configured under the name ${name}`)
  return chain
}

export function senderOf({ name, sender }: Chain): Sender {
  if (sender === null) throw new Error(`no private key is configured for chain ${name}`)
  return sender
}

/**
 * The chain a project anchors on by itself, and the contract it uses there; null when neither service nor project knows it.
 * A name of the service's own always means its own nodes.
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

// What the integers of the API hold. A stranger's node can say any number, and must not spoil what is read of all.
const highestBlock = 2 ** 31 - 1

const plausible =
  ({ name, transaction }: Chain): Chain['transaction'] =>
  async txid => {
    const mined = await transaction(txid)
    if (mined === null || (isNatural(mined.blockNumber) && mined.blockTime.getTime() >= 0)) return mined
    throw new AppError('chain_unavailable', `No block of chain ${name} can be the one its node names.`)
  }

const isNatural = (blockNumber: number) => blockNumber >= 0 && blockNumber <= highestBlock

// The node of a project's own chain may hang. Projects share these queues, so that all such nodes together leave most job
// slots of the workers free.
const projectQueues = 3
const projectQueue = (projectId: string) =>
  `${jobs.confirm.task}:projects:${Number.parseInt(projectId.slice(0, 8), 16) % projectQueues}`

/** Follows a transaction until it is final, reverted or replaced. `projectId`: whose chain it is on; null for ours. */
export function confirmJob(
  { chains }: Pick<App, 'chains'>,
  { id, chain, projectId }: { id: string; chain: string; projectId: string | null },
  { afterMs = 0, overtakenAt }: { afterMs?: number; overtakenAt?: Block | undefined } = {},
): Job {
  const isOurs = projectId === null || chains.some(({ name }) => name === chain)
  const payload = { transaction: id, ...(overtakenAt && { overtakenAt }) }
  return jobs.confirm(payload, { afterMs, ...(!isOurs && { queue: projectQueue(projectId) }) })
}
