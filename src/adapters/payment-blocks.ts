// The blocks of payments, which all payments of a block share: their transactions, their receipts and the proofs.
import { toQuantity } from 'ethers'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { ChainNode } from './chain-node.ts'
import { type BlockProofs, proofsIn } from './evm-proof.ts'
import type { Nodes } from './nodes.ts'
import {
  type BlockAnswer,
  blockAnswer,
  factsIn,
  factsOf,
  type Receipt,
  type ReceiptsAnswer,
  receiptsAnswer,
} from './payment-answers.ts'

// The start of the year 10000 in Unix seconds.
const endOfTime = 253_402_300_800
// Whole blocks are large, and are needed again at once.
const keptBlocks = 8

/** `answers`: all that say the same of its transactions. A node may lie in what only the proof needs. */
export type Block = Omit<BlockAnswer, 'whole'> & {
  answers: readonly unknown[]
  reported?: Promise<Reported>
  proofs?: Promise<BlockProofs | null> | undefined
}

/** The receipts of a block as a quorum reports them, and all answers that say the same. */
type Reported = { receipts: readonly Receipt[]; answers: readonly unknown[] }

/** Asks a node, and throws when its answer has another form. */
export async function ask<T>(node: ChainNode, shape: z.ZodType<T>, method: string, ...params: unknown[]): Promise<T> {
  const { success, data, error } = shape.safeParse(await node.send(method, params))
  if (success) return data
  throw new Error(`its answer to ${method} has no valid ${error.issues[0]?.path.join('.') || 'value'}`)
}

export function paymentBlocks(nodes: Nodes) {
  const blocks = new LRUCache<string, Promise<Block>>({ max: keptBlocks })

  /** The block at this height with its transactions; `hash`: the one that it has as far as is known. */
  async function at(blockNumber: number, hash: string): Promise<Block> {
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

  /** The receipts of these transactions in blocks that are known, are in the chain and have many of them. */
  async function receiptsOf(txids: readonly string[]): Promise<ReadonlyMap<string, Receipt>> {
    const wanted = new Set(txids)
    const found = new Map<string, Receipt>()
    for (const known of [...blocks.values()]) {
      const block = await known.catch(() => null)
      const own = block?.transactions.filter(transaction => wanted.has(hashOf(transaction))).length ?? 0
      if (block === null || own === 0 || own * mostPerWanted < block.transactions.length) continue
      // Some nodes do not have the method for it.
      block.reported ??= receiptsIn(block).catch(() => ({ receipts: [], answers: [] }))
      const { receipts } = await block.reported
      if (receipts.length === 0 || !(await isInChain(block))) continue
      for (const receipt of receipts)
        if (wanted.has(receipt.transactionHash)) found.set(receipt.transactionHash, receipt)
    }
    return found
  }

  async function receiptsIn({ number, hash }: Block): Promise<Reported> {
    const given = new Map<string, ReceiptsAnswer[]>()
    const agreed = await nodes.agreed(async node => {
      const answer = await ask(node, receiptsAnswer, 'eth_getBlockReceipts', toQuantity(number))
      if (answer.receipts.some(({ blockHash }) => blockHash !== hash))
        throw new Error('the response is about another block')
      const facts = factsIn(answer.receipts)
      given.set(facts, [...(given.get(facts) ?? []), answer])
      return facts
    })
    const alike = given.get(agreed) ?? []
    return { receipts: alike[0]?.receipts ?? [], answers: alike.map(({ whole }) => whole) }
  }

  const isInChain = ({ number, hash }: Block): Promise<boolean> =>
    nodes.agreed(async node => (await node.getBlock(number))?.hash === hash).catch(() => false)

  /** The best proofs from what the nodes say of the block: the header alone where none has its receipts. */
  async function bestProofs({ number, answers, reported }: Block): Promise<BlockProofs | null> {
    let best: BlockProofs | null = null
    /** Whether they prove all. */
    const tryWith = async (receipts: unknown): Promise<boolean> => {
      for (const answer of answers) {
        const made = await proofsIn(answer, receipts)
        if (made !== null && made.grade > (best?.grade ?? 0)) best = made
        if (made?.grade === 3) return true
      }
      return false
    }
    for (const receipts of (await reported)?.answers ?? []) if (await tryWith(receipts)) return best
    await nodes
      .first(async node => {
        await tryWith(await node.send('eth_getBlockReceipts', [toQuantity(number)]))
        // The roots in the header judge the receipts, so that the next node is asked after one that lags or lies.
        if (best === null || best.grade === 1) throw new Error('its receipts are not those of the block')
      })
      .catch(() => best === null && tryWith(null))
    return best
  }

  /** The proofs of a block; null where the chain has another one at this height, or no header that can be proved. */
  async function proofsOf(blockNumber: number, hash: string): Promise<BlockProofs | null> {
    const block = await at(blockNumber, hash).catch(() => null)
    if (block === null || block.hash !== hash) return null
    block.proofs ??= bestProofs(block)
    const asked = block.proofs
    const proofs = await asked
    // Another node may know more the next time.
    if (proofs?.grade !== 3 && block.proofs === asked) block.proofs = undefined
    return proofs
  }

  return { at, receiptsOf, proofsOf }
}

/** How many receipts of a block may be requested for each that is wanted. */
const mostPerWanted = 10

const hashOf = (transaction: unknown): string =>
  typeof transaction === 'object' && transaction !== null && 'hash' in transaction
    ? String(transaction.hash).toLowerCase()
    : ''
