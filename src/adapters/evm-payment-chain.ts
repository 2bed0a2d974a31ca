// Implements the `PaymentChain` port for an EVM chain: a fact counts when a quorum of the nodes reports it alike. A
// transaction takes one request for its receipt, and its block two, which all payments of the block share.
import { toQuantity } from 'ethers'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isChainFault } from '../core/errors.ts'
import type { FinalityPolicy } from '../ports/chain.ts'
import type { Looked, PaidTransaction, PaymentChain } from '../ports/payment-chain.ts'
import type { ChainNode } from './chain-node.ts'
import { type BlockProofs, proofsIn } from './evm-proof.ts'
import { type Decide, majorityOf, openNodes } from './nodes.ts'
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

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(BigInt)
const count = quantity.refine(value => value <= Number.MAX_SAFE_INTEGER).transform(Number)
// As numbers of transfers are written and stored.
const mostIndex = 2 ** 31 - 1
const index = count.refine(value => value <= mostIndex)
const hex = (digits: string) =>
  z
    .string()
    .regex(new RegExp(`^0x${digits}$`, 'i'))
    .toLowerCase()
const word = hex('[0-9a-f]{64}')
const bytes = hex('([0-9a-f]{2})*')
// Nodes of XDC write `xdc` in place of `0x`.
const address = z
  .string()
  .regex(/^(0x|xdc)[0-9a-f]{40}$/i)
  .transform(text => `0x${text.slice(-40).toLowerCase()}`)
// Nodes leave out what others write as null.
const quantityOrNull = quantity.nullish().transform(value => value ?? null)

const receiptShape = z.object({
  transactionHash: word,
  transactionIndex: index,
  blockHash: word,
  blockNumber: count,
  status: count,
  gasUsed: quantity,
  effectiveGasPrice: quantityOrNull,
  // The fee of roll-ups of the OP stack for their data.
  l1Fee: quantityOrNull,
  logs: z.array(z.object({ address, topics: z.array(word).max(4), data: bytes, logIndex: index })),
})
type Receipt = z.output<typeof receiptShape>
// Some nodes have a receipt of a transaction that is in no block yet.
const receiptOrNone = z
  .union([z.null(), z.undefined().transform(() => null), z.object({ blockHash: z.null() }).transform(() => null)])
  .or(receiptShape)

const transactionShape = z.object({ hash: word, from: address, to: address.nullish(), value: quantity, input: bytes })
const blockShape = z.object({ number: count, hash: word, timestamp: count, transactions: z.array(z.unknown()) })
// As the node wrote it, for the proof, which is made of all its fields.
const blockAnswer = z.unknown().transform((whole, { issues }) => {
  const { data, error } = blockShape.safeParse(whole)
  if (error !== undefined) issues.push(...error.issues.map(issue => ({ ...issue, input: undefined })))
  return data === undefined ? z.NEVER : { ...data, whole }
})

// The start of the year 10000 in Unix seconds.
const endOfTime = 253_402_300_800
const atOnce = 16
// Whole blocks are large, and are needed again at once.
const keptBlocks = 8

type BlockAnswer = z.output<typeof blockAnswer>
/** `answers`: all that say the same of its transactions. A node may lie in what only the proof needs. */
type Block = Omit<BlockAnswer, 'whole'> & {
  answers: readonly unknown[]
  proofs?: Promise<BlockProofs | null> | undefined
}

/**
 * A transaction is not there only if no node that answered has it: a node may lag behind the others, or have pruned its
 * history, and answers null then too.
 */
const foundBy =
  (quorum: number): Decide<Receipt | null> =>
  (answers, missing) => {
    const found = answers.filter(answer => answer !== null)
    const keys = found.map(answer =>
      JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    )
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
  const blocks = new LRUCache<string, Promise<Block>>({ max: keptBlocks })

  async function ask<T>(node: ChainNode, shape: z.ZodType<T>, method: string, ...params: unknown[]): Promise<T> {
    const { success, data, error } = shape.safeParse(await node.send(method, params))
    if (success) return data
    throw new Error(`its answer to ${method} has no valid ${error.issues[0]?.path.join('.') || 'value'}`)
  }

  const receiptOf = (txid: string): Promise<Receipt | null> =>
    nodes.agreed(async node => {
      const receipt = await ask(node, receiptOrNone, 'eth_getTransactionReceipt', txid)
      if (receipt !== null && receipt.transactionHash !== txid)
        throw new Error('the response is about another transaction')
      return receipt
    }, foundBy(quorum))

  /** The block at this height with its transactions; `hash`: the one that it has as far as is known. */
  async function blockAt(blockNumber: number, hash: string): Promise<Block> {
    const known = blocks.get(hash)
    if (known !== undefined) return known
    const asked = fetchBlock(blockNumber)
    // Payments of one block are looked up at the same time.
    blocks.set(hash, asked)
    const block = await asked.catch(error => {
      blocks.delete(hash)
      throw error
    })
    if (block.hash !== hash) blocks.delete(hash)
    return block
  }

  async function fetchBlock(blockNumber: number): Promise<Block> {
    const given = new Map<string, BlockAnswer[]>()
    const agreed = await nodes.agreed(async node => {
      const block = await ask(node, blockAnswer, 'eth_getBlockByNumber', toQuantity(blockNumber), true)
      if (block.number !== blockNumber || block.timestamp >= endOfTime)
        throw new Error('the response is about another block')
      // The header's hash is of all its transactions, but a node may send others beside it.
      const facts = JSON.stringify([block.hash, block.timestamp, block.transactions.map(factsOf)])
      given.set(facts, [...(given.get(facts) ?? []), block])
      return facts
    })
    const alike = given.get(agreed) ?? []
    const [first] = alike
    if (first === undefined) throw new Error('the nodes agreed on a block that none of them sent')
    const { whole: _, ...block } = first
    return { ...block, answers: alike.map(({ whole }) => whole) }
  }

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

  async function lookOne(
    txid: string,
  ): Promise<Omit<PaidTransaction, 'isFinal'> | 'unknown' | { unavailable: string }> {
    const receipt = await receiptOf(txid)
    if (receipt === null) return 'unknown'
    const block = await blockAt(receipt.blockNumber, receipt.blockHash)
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
    const seen = await inTurns(txids, txid => lookOne(txid).catch(asUnavailable))
    const numbers = seen.flatMap(one => (typeof one === 'object' && 'blockNumber' in one ? [one.blockNumber] : []))
    const last = numbers.length === 0 ? 0 : await finalNumber(Math.max(...numbers)).catch(asUnavailable)
    return seen.map((one): Looked => {
      if (one === 'unknown' || 'unavailable' in one) return one
      return typeof last === 'number' ? { found: { ...one, isFinal: one.blockNumber <= last } } : last
    })
  }

  const valueTransfers: PaymentChain['valueTransfers'] = async txid => {
    const transfers = await nodes.agreed(node => valueTransfersOf(node, txid)).catch(() => null)
    return transfers?.map(({ amount, ...transfer }) => ({ ...transfer, amount: BigInt(amount) })) ?? null
  }

  /** The best proofs from what the nodes say of the block: the header alone where none has its receipts. */
  async function bestProofs({ number, answers }: Block): Promise<BlockProofs | null> {
    let best: BlockProofs | null = null
    const tryWith = async (receipts: unknown) => {
      for (const answer of answers) {
        const made = await proofsIn(answer, receipts)
        if (made !== null && made.grade > (best?.grade ?? 0)) best = made
        if (made?.grade === 3) return
      }
    }
    await nodes
      .first(async node => {
        await tryWith(await node.send('eth_getBlockReceipts', [toQuantity(number)]))
        // The roots in the header judge the receipts, so that the next node is asked after one that lags or lies.
        if (best === null || best.grade === 1) throw new Error('its receipts are not those of the block')
      })
      .catch(() => (best === null ? tryWith(null) : undefined))
    return best
  }

  /** The proofs of a block, which its payments share also where they are checked one after another. */
  async function proofsOf(blockNumber: number, hash: string): Promise<BlockProofs | null> {
    const block = await blockAt(blockNumber, hash).catch(() => null)
    if (block === null || block.hash !== hash) return null
    block.proofs ??= bestProofs(block)
    const proofs = await block.proofs
    // Another node may know more the next time.
    if (proofs?.grade !== 3) block.proofs = undefined
    return proofs
  }

  const prove: PaymentChain['prove'] = async transactions => {
    const hashes = new Map(transactions.map(({ blockHash, blockNumber }) => [blockHash, blockNumber]))
    const proofs = new Map<string, BlockProofs | null>()
    for (const [hash, number] of hashes) proofs.set(hash, await proofsOf(number, hash))
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

function factsOf(transaction: unknown): unknown {
  const { data } = transactionShape.safeParse(transaction)
  return data && [data.hash, data.from, data.to ?? null, `${data.value}`, data.input === '0x']
}

function asUnavailable(error: unknown): { unavailable: string } {
  if (!isChainFault(error)) throw error
  return { unavailable: error.message }
}

/** Runs at most `atOnce` of them at a time, so that a batch does not use up the nodes' limits in one burst. */
async function inTurns<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  for (let start = 0; start < items.length; start += atOnce)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))))
  return results
}
