// Faults of a node behind an RPC proxy, which tests put in front of a real node.
import { keccak256 } from 'ethers'
import { z } from 'zod'
import { anchorTopic } from '../../src/adapters/anchor-log.ts'
import type { Behaviour, Fault, Forward, RpcRequest } from './rpc-proxy.ts'

const fields = z.record(z.string(), z.unknown())
const items = z.array(fields)
type Fields = z.infer<typeof fields>

const honest: Behaviour = { kind: 'honest' }
const raw = (status: number, text: string): Behaviour => ({ kind: 'raw', status, text })
/** The proxy replaces the id with that of the request. */
const result = (value: unknown): Behaviour => ({ kind: 'body', body: { jsonrpc: '2.0', result: value } })

/** The fault for these methods only, at most `times` times; otherwise the proxy forwards. */
export function limited(fault: Fault, { methods, times = Infinity }: { methods?: string[]; times?: number }): Fault {
  let left = times
  return async (question, forward) => {
    if ((methods !== undefined && !methods.includes(question.method)) || left <= 0) return honest
    left -= 1
    return fault(question, forward)
  }
}

/** Returns the first behaviour of these faults that is not honest. */
export const together =
  (...faults: Fault[]): Fault =>
  async (question, forward) => {
    for (const fault of faults) {
      const behaviour = await fault(question, forward)
      if (behaviour.kind !== 'honest') return behaviour
    }
    return honest
  }

const answered = z.object({ result: z.unknown() }).partial()
const resultOf = async (forward: Forward, instead?: RpcRequest) => answered.parse(await forward(instead)).result
const quantity = (value: number) => `0x${value.toString(16)}`
const numberOf = z.string().transform(Number)
const tags = ['latest', 'pending', 'safe', 'finalized']
/** The position of the block parameter in methods that read state. */
const blockParameter: Record<string, number> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
}

/** Returns the node's answer, changed if it is an object. */
const changed =
  (methods: string[], change: (value: Fields) => Fields | null): Fault =>
  async ({ method }, forward) => {
    if (!methods.includes(method)) return honest
    const { success, data } = fields.safeParse(await resultOf(forward))
    return success ? result(change(data)) : honest
  }

const receipt = 'eth_getTransactionReceipt'
const blocks = ['eth_getBlockByNumber', 'eth_getBlockByHash']

export const faults = {
  hangBefore: async () => ({ kind: 'hang' }),
  hangAfter: async (_, forward) => forward().then(() => ({ kind: 'hang' })),
  trickles: async () => ({ kind: 'trickle' }),
  resetBefore: async () => ({ kind: 'reset' }),
  resetAfter: async (_, forward) => forward().then(() => ({ kind: 'reset' })),
  truncated: async (_, forward) => {
    const text = JSON.stringify(await forward())
    return raw(200, text.slice(0, -Math.ceil(text.length / 3)))
  },
  html: async () => raw(200, '<!doctype html><title>Bad gateway</title>'),
  otherId: async (_, forward) => ({ kind: 'body', body: { ...fields.parse(await forward()), id: 'another' } }),
  wrongTypes: async () => result({ number: 'seven', hash: 7, logs: 'none', status: [] }),
  noResult: async () => result(null),
  /** Returns the right hash for a sent transaction, and drops the transaction. */
  dropped: async ({ method, params }) =>
    method === 'eth_sendRawTransaction' ? result(keccak256(z.string().parse(params[0]))) : honest,
  /** Hides every anchor event. */
  hidesAnchors: together(
    limited(async () => result([]), { methods: ['eth_getLogs'] }),
    changed([receipt], value => ({ ...value, logs: [] })),
  ),
  noMaxPriorityFee: limited(
    async () => refusal('the method eth_maxPriorityFeePerGas does not exist/is not available'),
    {
      methods: ['eth_maxPriorityFeePerGas'],
    },
  ),
  noBaseFee: changed(blocks, ({ baseFeePerGas: _, ...block }) => block),
} satisfies Record<string, Fault>

/**
 * Answers as some nodes do: only with the fields that are used, ids as text, `"error": null` beside a result, decimal
 * numbers, and addresses with the prefix of XDC.
 */
export const terse: Fault = async ({ method }, forward) => {
  const { id, ...answer } = fields.parse(await forward())
  if (!('result' in answer)) return { kind: 'body', body: { ...answer, id: `${id}` } }
  const own = (value: unknown) => ({ kind: 'body' as const, body: { id: `${id}`, error: null, result: value } })
  const { data } = fields.safeParse(answer.result)
  const log = ({ address, topics, data: bytes, logIndex, transactionHash }: Fields) => ({
    address: z.string().parse(address).replace('0x', 'xdc'),
    topics,
    data: bytes,
    logIndex,
    transactionHash,
  })
  if (method === 'eth_chainId' || method === 'eth_blockNumber') return own(numberOf.parse(answer.result))
  if (method === 'eth_getLogs') return own(items.parse(answer.result).map(log))
  if (data === undefined) return own(answer.result)
  if (blocks.includes(method)) {
    const { number, hash, timestamp, baseFeePerGas } = data
    return own({ number: numberOf.parse(number), hash, timestamp: `${numberOf.parse(timestamp)}`, baseFeePerGas })
  }
  if (method !== receipt) return own(answer.result)
  const { transactionHash, blockNumber, blockHash, status, logs } = data
  return own({ transactionHash, blockNumber, blockHash, status, logs: items.parse(logs).map(log) })
}

/** Leaves a field out of each answer of a method, or writes another value into it. */
export const spoiled = (method: string, field: string, value?: unknown): Fault =>
  changed([method], answer => ({ ...answer, [field]: value }))

const refusal = (message: string, code = -32000): Behaviour => ({
  kind: 'body',
  body: { jsonrpc: '2.0', error: { code, message } },
})

export const status =
  (code: number): Fault =>
  async () =>
    raw(code, 'not now')

/** Returns a JSON-RPC error. */
export const refused =
  (message: string, code?: number): Fault =>
  async () =>
    refusal(message, code)

export const otherChain = (id: number): Fault => limited(async () => result(quantity(id)), { methods: ['eth_chainId'] })

/** Returns this number as that of the newest block. */
export const headAt = (block: number): Fault =>
  limited(async () => result(quantity(block)), { methods: ['eth_blockNumber'] })

/** Returns the receipt of this transaction for any transaction. */
export const otherReceipt =
  (txid: string): Fault =>
  async ({ method }, forward) =>
    method === receipt ? result(await resultOf(forward, { method, params: [txid] })) : honest

/** Refuses eth_getLogs over more than this many blocks. */
export const narrowLogs =
  (most: number): Fault =>
  async ({ method, params }) => {
    if (method !== 'eth_getLogs') return honest
    const { fromBlock, toBlock } = z.object({ fromBlock: numberOf, toBlock: numberOf }).parse(params[0])
    return toBlock - fromBlock < most ? honest : refusal(`query exceeds max block range ${most}`, -32005)
  }

export const feeSpike = (factor: bigint): Fault => {
  const times = (value: unknown) => `0x${(BigInt(z.string().parse(value)) * factor).toString(16)}`
  return async (question, forward) => {
    const { method } = question
    if (method === 'eth_gasPrice' || method === 'eth_maxPriorityFeePerGas')
      return result(times(await resultOf(forward)))
    return changed(blocks, block => ({ ...block, baseFeePerGas: times(block.baseFeePerGas) }))(question, forward)
  }
}

/** Replaces the hash of each block, consistently in blocks, receipts and logs: a different chain. */
export function otherBlocks(salt = '00'): Fault {
  const real = new Map<string, string>()
  const forge = (hash: unknown) => {
    const forged = keccak256(`${z.string().parse(hash)}${salt}`)
    real.set(forged, z.string().parse(hash))
    return forged
  }
  return async ({ method, params }, forward) => {
    if (!blocks.includes(method) && method !== receipt) return honest
    const hash = real.get(String(params[0])) ?? params[0]
    const { success, data } = fields.safeParse(await resultOf(forward, { method, params: [hash, ...params.slice(1)] }))
    if (!success) return honest
    if (method !== receipt) return result({ ...data, hash: forge(data.hash) })
    const blockHash = forge(data.blockHash)
    return result({ ...data, blockHash, logs: items.parse(data.logs).map(log => ({ ...log, blockHash })) })
  }
}

/** Invents a transaction that succeeded in an invented block and anchored these hashes. */
export function invented(txid: string, contract: string, hashes: string[], salt = '00'): Fault {
  const blockHash = keccak256(`${txid}${salt}`)
  const event = { address: contract, blockHash, transactionHash: txid, transactionIndex: '0x0', removed: false }
  const data = `0x${contract.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
  const zero = `0x${'0'.repeat(64)}`
  return async ({ method, params }, forward) => {
    const block = async () =>
      fields.parse(await resultOf(forward, { method: blocks[0] ?? '', params: ['latest', false] }))
    if (method === blocks[1] && params[0] === blockHash) return result({ ...(await block()), hash: blockHash })
    if (method !== receipt || params[0] !== txid) return honest
    const { number: blockNumber } = await block()
    const logs = hashes.map((hash, index) => ({
      ...event,
      blockNumber,
      topics: [anchorTopic, hash],
      data,
      logIndex: quantity(index),
    }))
    return result({
      transactionHash: txid,
      transactionIndex: '0x0',
      blockHash,
      blockNumber,
      from: contract,
      to: contract,
      contractAddress: null,
      cumulativeGasUsed: '0x5208',
      gasUsed: '0x5208',
      effectiveGasPrice: '0x1',
      status: '0x1',
      type: '0x2',
      logsBloom: zero,
      logs,
    })
  }
}

const placed = [...blocks, receipt, 'eth_getTransactionByHash']

/** Hides the newest `by` blocks. */
export const lagging =
  (by: number): Fault =>
  async ({ method, params }, forward) => {
    const head = Math.max(0, numberOf.parse(await resultOf(forward, { method: 'eth_blockNumber', params: [] })) - by)
    const isKnown = (at: unknown) => typeof at !== 'string' || Number(at) <= head
    const given = async (instead?: RpcRequest): Promise<Behaviour> => ({ kind: 'body', body: await forward(instead) })
    if (method === 'eth_blockNumber') return result(quantity(head))
    if (method === 'eth_getLogs') {
      return result(items.parse(await resultOf(forward)).filter(log => isKnown(log.blockNumber)))
    }
    if (method === blocks[0] && tags.includes(String(params[0]))) {
      const tagged = fields.parse(await resultOf(forward))
      const at = ['latest', 'pending'].includes(String(params[0])) ? head : numberOf.parse(tagged.number) - by
      return given({ method, params: [quantity(Math.max(0, at)), ...params.slice(1)] })
    }
    const place = blockParameter[method]
    if (place !== undefined) return given({ method, params: params.with(place, quantity(head)) })
    if (!placed.includes(method)) return honest
    const { success, data } = fields.safeParse(await resultOf(forward))
    return success && !isKnown(data.blockNumber ?? data.number) ? result(null) : honest
  }
