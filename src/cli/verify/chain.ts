// Opens the chain of the given nodes, with what the key document says about it.
import { createEthersChain } from '../../adapters/ethers-chain.ts'
import { createPaymentChain } from '../../adapters/evm-payment-chain.ts'
import type { SearchBounds } from '../../adapters/node-logs.ts'
import { majorityOf, openNodes } from '../../adapters/nodes.ts'
import { AppError, isChainFault } from '../../core/errors.ts'
import type { Chain, FinalityPolicy } from '../../ports/chain.ts'
import type { PaymentChain } from '../../ports/payment-chain.ts'
import { UsageError } from '../command.ts'
import type { KnownChain } from './key-document.ts'

type Wish = {
  rpcUrls: string[]
  /** CAIP-2 of the chain that the nodes must serve; of one in the key document if undefined. */
  chainId: string | undefined
  contract: string | undefined
  confirmations: number | undefined
}

export type QueriedChain = {
  chain: Chain
  nodes: number
  /** The nodes' own error messages, added while the chain is queried. */
  faults: Set<string>
}

// The finality of a service with a single chain and no setting.
const carefully: FinalityPolicy = { confirmations: 12 }
const nowhere = `0x${'00'.repeat(20)}`

// A person waits for the only node that they have, while a service has others.
const busyMs = 60_000
const search: SearchBounds = { requests: 1_000, forMs: 240_000 }

/** Throws UsageError when the nodes serve a chain that nobody expects, or when the contract is unknown. */
export async function openQueriedChain(known: readonly KnownChain[], wish: Wish): Promise<QueriedChain> {
  const { rpcUrls, confirmations } = wish
  const faults = new Set<string>()
  const served = await chainServedBy(rpcUrls).catch(error => noted(faults, error))
  const entry = known.find(({ caip2 }) => caip2 === served) ?? null
  const contract = wish.contract ?? entry?.contract
  if (served !== null) {
    if (wish.chainId !== undefined && wish.chainId !== served) {
      throw new UsageError(`These nodes serve ${served}, and --chain-id expects ${wish.chainId}.`)
    }
    // A chain that only its node knows may be anybody's: somebody else must have named it.
    const isExpected = entry !== null || wish.chainId !== undefined
    if (!isExpected || contract === undefined) {
      const why = known.length === 0 ? 'names no chains' : `does not know ${served}, which these nodes serve`
      const instead = known.length === 0 ? '' : ', or other nodes'
      throw new UsageError(`The key document ${why}: give --contract and --chain-id${instead}.`)
    }
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
    busyMs,
    search,
  })
  return { chain: served === null ? mute(chain) : noting(chain, faults), nodes: rpcUrls.length, faults }
}

/**
 * Opens the chain of payments of these nodes; null without nodes, and where they do not say which chain they serve.
 * Its finality is that of the key document, if it knows the chain.
 */
export async function openPaymentChain(rpcUrls: string[], known: readonly KnownChain[]): Promise<PaymentChain | null> {
  if (rpcUrls.length === 0) return null
  const caip2 = await chainServedBy(rpcUrls).catch(error => noted(new Set(), error))
  if (caip2 === null) return null
  const finality = known.find(one => one.caip2 === caip2)?.finality ?? carefully
  return createPaymentChain({ name: caip2, caip2, rpcUrls, finality })
}

/** Returns the CAIP-2 id of the chain that more than half of the nodes serve. */
async function chainServedBy(rpcUrls: string[]): Promise<string> {
  const nodes = openNodes({ name: 'to ask', chainId: null, rpcUrls, quorum: majorityOf(rpcUrls.length), busyMs })
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
  return { ...chain, transaction: silence, findAnchor: silence, blockStatus: silence }
}

function noting(chain: Chain, faults: Set<string>): Chain {
  const watched = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      noted(faults, error)
      throw error
    }
  }
  return {
    ...chain,
    transaction: txid => watched(chain.transaction(txid)),
    findAnchor: (hash, since) => watched(chain.findAnchor(hash, since)),
    blockStatus: (number, hash) => watched(chain.blockStatus(number, hash)),
  }
}
