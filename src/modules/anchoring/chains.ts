// Which chain a stored name means, and the lanes in which anchors are sent and followed.
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import type { Job } from '../../kit/transaction.ts'
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

// A stranger's node may hang. Those of one project hold up one lane, and all of them together leave steps to everybody else.
const strangersLanes = 3
const laneOf = (projectId: string) => `confirm:strangers:${Number.parseInt(projectId.slice(0, 8), 16) % strangersLanes}`

/** Follows a transaction to its end. */
export function confirmJob(
  { chains }: Pick<App, 'chains'>,
  { id, chain, projectId }: { id: string; chain: string; projectId: string | null },
): Job {
  const job = { task: 'confirm', payload: { transaction: id }, key: `confirm:${id}` }
  return projectId === null || chains.some(({ name }) => name === chain) ? job : { ...job, queue: laneOf(projectId) }
}

/** One signer's work is serial, whatever the number of workers: one lane a chain. */
export function laneJob(chain: string, afterMs = 0): Job {
  const lane = `anchor:${chain}`
  return { task: 'anchor', payload: { chain }, queue: lane, key: lane, afterMs }
}
