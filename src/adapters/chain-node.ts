// Reads the answers of a node. Only the fields that are used are read, and these strictly: nodes leave out others,
// write numbers in other ways and addresses with the prefix of their chain, and ethers, which reads every field of a
// block, then refuses the whole answer.
import { type FeeData, type JsonRpcProvider, toQuantity } from 'ethers'
import { z } from 'zod'

const quantity = z.union([z.int().nonnegative(), z.string().regex(/^(0x[0-9a-f]+|\d+)$/i)]).transform(BigInt)
const count = quantity.refine(value => value <= Number.MAX_SAFE_INTEGER).transform(Number)
const hex = (digits: string) =>
  z
    .string()
    .regex(new RegExp(`^0x${digits}$`, 'i'))
    .toLowerCase()
export const word = hex('[0-9a-f]{64}')
export const bytes = hex('([0-9a-f]{2})*')
// Nodes of XDC write `xdc` in place of `0x`.
export const address = z
  .string()
  .regex(/^(0x|xdc)[0-9a-f]{40}$/i)
  .transform(text => `0x${text.slice(-40).toLowerCase()}`)

const log = z
  .object({
    address,
    topics: z.array(word),
    data: bytes,
    logIndex: count,
    transactionHash: word,
    blockNumber: count.nullish(),
  })
  .transform(({ logIndex: index, ...rest }) => ({ ...rest, index }))
const block = z.object({ number: count, hash: word, timestamp: count, baseFeePerGas: quantity.nullish() })
const receipt = z
  .object({
    transactionHash: word,
    blockNumber: count,
    blockHash: word,
    status: count,
    gasUsed: quantity.nullish(),
    logs: z.array(log),
  })
  .transform(({ transactionHash: hash, ...rest }) => ({ ...rest, hash }))
const absent = z.null().or(z.undefined().transform(() => null))
// Some nodes have a receipt of a transaction that is in no block yet.
const waiting = z.object({ blockHash: z.null() }).transform(() => null)

/** Hex is lower-case; `index` is the position in the block. */
export type NodeLog = z.output<typeof log>
type NodeBlock = z.output<typeof block>
type NodeReceipt = z.output<typeof receipt>
type Range = { address: string; topics: readonly (string | null)[]; fromBlock: number; toBlock: number }

/** The methods have the names that they have in ethers. */
export type ChainNode = Pick<JsonRpcProvider, 'call' | 'estimateGas' | 'send'> & {
  getChainId(): Promise<bigint>
  getBlockNumber(): Promise<number>
  /** By number, name or hash; null for a block that the node does not have. */
  getBlock(which: number | string): Promise<NodeBlock | null>
  /** Null for a transaction that is in no block. */
  getTransactionReceipt(txid: string): Promise<NodeReceipt | null>
  getLogs(range: Range): Promise<NodeLog[]>
  getCode(address: string): Promise<string>
  getBalance(address: string): Promise<bigint>
  getTransactionCount(address: string, block: 'latest' | 'pending'): Promise<number>
  getFeeData(): Promise<Pick<FeeData, 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>>
}

// ethers takes this where a node suggests none.
const usualPriority = 1_000_000_000n

export function chainNode(provider: JsonRpcProvider): ChainNode {
  async function ask<T>(shape: z.ZodType<T>, method: string, ...params: unknown[]): Promise<T> {
    const { success, data, error } = shape.safeParse(await provider.send(method, params))
    if (success) return data
    throw new Error(`its answer to ${method} has no valid ${error.issues[0]?.path.join('.') || 'value'}`)
  }
  const orNull = <T>(question: Promise<T>) => question.catch(() => null)
  const nameOf = (which: string | number) => (typeof which === 'number' ? toQuantity(which) : which)

  const getBlock: ChainNode['getBlock'] = which => {
    const method = word.safeParse(which).success ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
    return ask(absent.or(block), method, nameOf(which), false)
  }

  return {
    // ethers says of these why they failed.
    call: request => provider.call(request),
    estimateGas: request => provider.estimateGas(request),
    send: (method, params) => provider.send(method, params),
    getChainId: () => ask(quantity, 'eth_chainId'),
    getBlockNumber: () => ask(count, 'eth_blockNumber'),
    getBlock,
    getTransactionReceipt: txid => ask(absent.or(waiting).or(receipt), 'eth_getTransactionReceipt', txid),
    getLogs: ({ address: of, topics, fromBlock, toBlock }) =>
      ask(z.array(log), 'eth_getLogs', {
        address: of,
        topics,
        fromBlock: toQuantity(fromBlock),
        toBlock: toQuantity(toBlock),
      }),
    getCode: of => ask(bytes, 'eth_getCode', of, 'latest'),
    getBalance: of => ask(quantity, 'eth_getBalance', of, 'latest'),
    getTransactionCount: (of, at) => ask(count, 'eth_getTransactionCount', of, at),
    async getFeeData() {
      const [latest, gasPrice, suggested] = await Promise.all([
        getBlock('latest'),
        orNull(ask(quantity, 'eth_gasPrice')),
        orNull(ask(quantity, 'eth_maxPriorityFeePerGas')),
      ])
      const base = latest?.baseFeePerGas
      if (!base) return { gasPrice, maxFeePerGas: null, maxPriorityFeePerGas: null }
      const maxPriorityFeePerGas = suggested ?? usualPriority
      // Enough for a base fee that rises for several blocks.
      return { gasPrice, maxFeePerGas: base * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
    },
  }
}
