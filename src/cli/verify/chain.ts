// Opens the chain of the given nodes, with what the key document says about it.
import { createEthersChain } from '../../adapters/ethers-chain.ts'
import { majorityOf, openNodes } from '../../adapters/nodes.ts'
import { AppError, isChainFault } from '../../core/errors.ts'
import type { Chain, FinalityPolicy } from '../../ports/chain.ts'
import { UsageError } from '../command.ts'
import type { KnownChain } from './key-document.ts'

type Wish = { rpcUrls: string[]; contract: string | undefined; confirmations: number | undefined }

export type AskedChain = {
  chain: Chain
  nodes: number
  /** The nodes' own error messages, added while the chain is queried. */
  faults: Set<string>
}

// The finality of a service with a single chain and no setting.
const carefully: FinalityPolicy = { confirmations: 12 }
const nowhere = `0x${'00'.repeat(20)}`

/** Throws UsageError when the contract is unknown. */
export async function openAskedChain(known: readonly KnownChain[], wish: Wish): Promise<AskedChain> {
  const { rpcUrls, confirmations } = wish
  const faults = new Set<string>()
  const served = await chainServedBy(rpcUrls).catch(error => noted(faults, error))
  const entry = known.find(({ caip2 }) => caip2 === served) ?? null
  const contract = wish.contract ?? entry?.contract
  if (served !== null && contract === undefined) {
    const why = known.length === 0 ? 'names no chains' : `does not know ${served}, which these nodes serve`
    throw new UsageError(`The key document ${why}: give --contract${known.length === 0 ? '' : ', or other nodes'}.`)
  }
  const chain = createEthersChain({
    name: entry?.name ?? served ?? 'the chain',
    caip2: served,
    rpcUrls,
    contract: contract ?? nowhere,
    finality: confirmations === undefined ? (entry?.finality ?? carefully) : { confirmations },
    explorerBaseUrl: entry?.explorer_base_url ?? null,
    deployedAtBlock: contract === entry?.contract ? (entry?.deployed_at_block ?? 0) : 0,
    account: null,
  })
  return { chain: served === null ? mute(chain) : noting(chain, faults), nodes: rpcUrls.length, faults }
}

/** Returns the CAIP-2 id of the chain that more than half of the nodes serve. */
async function chainServedBy(rpcUrls: string[]): Promise<string> {
  const nodes = openNodes({ name: 'to ask', chainId: null, rpcUrls, quorum: majorityOf(rpcUrls.length) })
  return nodes.agreed(async node => `eip155:${await node.getChainId()}`)
}

function noted(faults: Set<string>, error: unknown): null {
  if (!isChainFault(error)) throw error
  faults.add(error.cause instanceof Error ? error.cause.message : error.message)
  return null
}

/**
 * Returns a chain that never answers: the nodes did not say which chain they serve, so no later answer may be believed.
 */
function mute(chain: Chain): Chain {
  const silence = () => Promise.reject(new AppError('chain_unavailable'))
  return { ...chain, transaction: silence, findAnchor: silence, standing: silence }
}

function noting(chain: Chain, faults: Set<string>): Chain {
  const heard = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      noted(faults, error)
      throw error
    }
  }
  return {
    ...chain,
    transaction: txid => heard(chain.transaction(txid)),
    findAnchor: hash => heard(chain.findAnchor(hash)),
    standing: (number, hash) => heard(chain.standing(number, hash)),
  }
}
