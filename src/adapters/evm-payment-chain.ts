// Implements the `PaymentChain` port for an EVM chain: a fact counts when a quorum of the nodes reports it alike. A
// transaction takes one request for its receipt, and its block two, which all payments of the block share. Where many
// payments of a batch are in one block, they share the request for their receipts, too.
import { isChainFault } from '../core/errors.ts'
import type { FinalityPolicy } from '../ports/chain.ts'
import type { Looked, PaidTransaction, PaymentChain } from '../ports/payment-chain.ts'
import type { BlockProofs } from './evm-proof.ts'
import { type Decide, majorityOf, openNodes } from './nodes.ts'
import { factsIn, type Receipt, receiptOrNone, transactionShape } from './payment-answers.ts'
import { ask, paymentBlocks } from './payment-blocks.ts'
import { tokenHistory } from './token-history.ts'
import { valueTransfersOf } from './value-transfers.ts'

export type PaymentChainConfig = {
  name: string
  /** `eip155:` and the chain id. */
  caip2: string
  /** At least one, in order of preference. URLs may contain secrets, so no error quotes them. */
  rpcUrls: readonly string[]
  /** How many nodes must agree on an answer; more than half of them by default. */
  quorum?: number
  finality: FinalityPolicy
  explorerBaseUrl?: string | null
  /** Is called when enough nodes have answered. */
  works?: () => void
}

// So that a batch does not use up the nodes' limits in one burst.
const atOnce = 16
const atFirst = 4

type Seen = Omit<PaidTransaction, 'isFinal'> | 'unknown' | { unavailable: string }

/**
 * A transaction is not there only if no node that answered has it: a node may lag behind the others, or have pruned its
 * history, and answers null then too.
 */
const foundBy =
  (quorum: number): Decide<Receipt | null> =>
  (answers, missing) => {
    const found = answers.filter(answer => answer !== null)
    const keys = found.map(factsIn)
    const agreed = keys.findIndex(key => keys.filter(other => other === key).length >= quorum)
    if (agreed >= 0) return { answer: found[agreed] ?? null }
    return missing === 0 && found.length === 0 ? { answer: null } : null
  }

/** The highest number that a quorum of the nodes has reached. */
const reachedBy =
  (quorum: number, wanted: number): Decide<number> =>
  (answers, missing) => {
    const reached = answers.toSorted((a, b) => b - a)[quorum - 1]
    return reached !== undefined && (reached >= wanted || missing === 0) ? { answer: reached } : null
  }

export function createPaymentChain(config: PaymentChainConfig): PaymentChain {
  const { name, caip2, finality, explorerBaseUrl = null } = config
  // A node named twice would count twice.
  const rpcUrls = [...new Set(config.rpcUrls)]
  const quorum = config.quorum ?? majorityOf(rpcUrls.length)
  const chainId = BigInt(caip2.slice('eip155:'.length))
  const nodes = openNodes({ ...config, rpcUrls, chainId, quorum })
  const blocks = paymentBlocks(nodes)

  const receiptOf = (txid: string): Promise<Receipt | null> =>
    nodes.agreed(async node => {
      const receipt = await ask(node, receiptOrNone, 'eth_getTransactionReceipt', txid)
      if (receipt !== null && receipt.transactionHash !== txid)
        throw new Error('the response is about another transaction')
      return receipt
    }, foundBy(quorum))

  /** The number of the last block that is final by the policy, for a quorum. */
  function finalNumber(wanted: number): Promise<number> {
    return nodes.agreed(
      async node => {
        if (typeof finality !== 'string') return (await node.getBlockNumber()) - finality.confirmations + 1
        return (await node.getBlock(finality))?.number ?? -1
      },
      reachedBy(quorum, wanted),
    )
  }

  async function lookOne(txid: string, reported: Receipt | undefined): Promise<Seen> {
    const receipt = reported ?? (await receiptOf(txid))
    if (receipt === null) return 'unknown'
    const block = await blocks.at(receipt.blockNumber, receipt.blockHash)
    if (block.hash !== receipt.blockHash) return { unavailable: 'The block of the transaction has left the chain.' }
    const { success, data: transaction } = transactionShape.safeParse(block.transactions[receipt.transactionIndex])
    if (!success || transaction.hash !== txid)
      return { unavailable: 'The block does not have the transaction at its place.' }
    const { effectiveGasPrice, l1Fee, gasUsed } = receipt
    return {
      txid,
      succeeded: receipt.status === 1,
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
      blockTime: new Date(block.timestamp * 1_000),
      index: receipt.transactionIndex,
      from: transaction.from,
      to: transaction.to ?? null,
      value: transaction.value,
      isPlain: transaction.input === '0x' && gasUsed === plainGas,
      fee: effectiveGasPrice == null ? null : gasUsed * effectiveGasPrice + (l1Fee ?? 0n),
      logs: receipt.logs.map(({ address: contract, logIndex: index, ...log }, position) => ({
        ...log,
        contract,
        index,
        position,
      })),
    }
  }

  const look: PaymentChain['look'] = async txids => {
    const seen = new Map<string, Seen>()
    for (let left = [...new Set(txids)]; left.length > 0; left = left.filter(txid => !seen.has(txid))) {
      const together = await blocks.receiptsOf(left)
      // The first few tell in which blocks the others may be.
      const apart = left.filter(txid => !together.has(txid)).slice(0, seen.size === 0 ? atFirst : atOnce)
      const looked = [...together.keys(), ...apart].map(
        async txid => [txid, await lookOne(txid, together.get(txid)).catch(asUnavailable)] as const,
      )
      for (const [txid, one] of await Promise.all(looked)) seen.set(txid, one)
    }
    const numbers = [...seen.values()].flatMap(one =>
      typeof one === 'object' && 'txid' in one ? [one.blockNumber] : [],
    )
    const last = numbers.length === 0 ? 0 : await finalNumber(Math.max(...numbers)).catch(asUnavailable)
    return txids.map((txid): Looked => {
      const one = seen.get(txid) ?? 'unknown'
      if (one === 'unknown' || 'unavailable' in one) return one
      return typeof last === 'number' ? { found: { ...one, isFinal: one.blockNumber <= last } } : last
    })
  }

  const valueTransfers: PaymentChain['valueTransfers'] = async txid => {
    const transfers = await nodes.agreed(node => valueTransfersOf(node, txid)).catch(() => null)
    return transfers?.map(({ amount, ...transfer }) => ({ ...transfer, amount: BigInt(amount) })) ?? null
  }

  const prove: PaymentChain['prove'] = async transactions => {
    const hashes = new Map(transactions.map(({ blockHash, blockNumber }) => [blockHash, blockNumber]))
    const proofs = new Map<string, BlockProofs | null>()
    for (const [hash, number] of hashes) proofs.set(hash, await blocks.proofsOf(number, hash))
    return transactions.map(({ blockHash, index }) => proofs.get(blockHash)?.at(index) ?? null)
  }

  return {
    name,
    caip2,
    finality,
    nodes: rpcUrls.length,
    quorum,
    explorerBaseUrl,
    look,
    valueTransfers,
    prove,
    ...tokenHistory(nodes, name),
    finalBlock: () => finalNumber(Number.MAX_SAFE_INTEGER),
    async block(blockNumber) {
      const hash = await nodes.agreed(async node => (await node.getBlock(blockNumber))?.hash ?? null)
      return hash === null ? null : { hash, isFinal: (await finalNumber(blockNumber)) >= blockNumber }
    },
  }
}

// The gas of a transaction that calls nothing.
const plainGas = 21_000n

function asUnavailable(error: unknown): { unavailable: string } {
  if (!isChainFault(error)) throw error
  return { unavailable: error.message }
}
