// Finds on the chain the mined transaction, if any, that transferred the amount of an EIP-3009 authorization.
import { Interface, zeroPadValue } from 'ethers'
import { z } from 'zod'
import { isChainFault } from '../core/errors.ts'
import type { PaymentPayload, Settlement, SettlementOutcome, SettlementSearch } from '../ports/payment-facilitator.ts'
import type { ChainNode, NodeLog } from './chain-node.ts'
import { logsOf } from './node-logs.ts'
import type { Nodes } from './nodes.ts'

const token = new Interface([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function authorizationState(address, bytes32) view returns (bool)',
])
const topicOf = (name: string) => z.string().parse(token.getEvent(name)?.topicHash)
const usedTopic = topicOf('AuthorizationUsed')
const canceledTopic = topicOf('AuthorizationCanceled')
const transferTopic = topicOf('Transfer')

const word = (address: string) => zeroPadValue(address, 32)
const named = (log: NodeLog, topics: readonly string[]) =>
  log.topics.length === topics.length && topics.every((topic, at) => log.topics[at]?.toLowerCase() === topic)

/**
 * Returns the transfer by which this authorization moved its amount, if these logs show one. Only a transfer after the
 * use of the authorization and before the next use counts, because a payer may use two authorizations in one
 * transaction and pay once.
 */
function transferOf(
  logs: readonly NodeLog[],
  asset: string,
  { from, to, value, nonce }: PaymentPayload['authorization'],
): Pick<Settlement, 'transferIndex' | 'isShared'> | null {
  const own = logs.filter(log => log.address.toLowerCase() === asset).sort((a, b) => a.index - b.index)
  const use = own.findIndex(log => named(log, [usedTopic, word(from), nonce]))
  if (use < 0) return null
  const later = own.slice(use + 1)
  const next = later.findIndex(log => log.topics[0]?.toLowerCase() === usedTopic)
  const transfer = later
    .slice(0, next < 0 ? later.length : next)
    .find(log => named(log, [transferTopic, word(from), word(to)]) && BigInt(log.data) === BigInt(value))
  if (transfer === undefined) return null
  const transfers = own.filter(log => log.topics[0]?.toLowerCase() === transferTopic)
  return { transferIndex: transfer.index, isShared: transfers.length > 1 }
}

export function createSettlements(nodes: Nodes, asset: string) {
  /**
   * Returns the block in which this transaction settled this authorization; `waiting` while the transaction is not
   * mined; `reverted` when it is mined and did not settle the authorization.
   */
  async function settlementStatus(
    node: ChainNode,
    txid: string,
    { authorization }: PaymentPayload,
  ): Promise<Settlement | 'waiting' | 'reverted'> {
    const [receipt, head] = await Promise.all([node.getTransactionReceipt(txid), node.getBlockNumber()])
    // Some nodes show receipts of a block that is still being built.
    if (receipt === null || receipt.blockNumber > head) return 'waiting'
    const { hash, status, logs, blockNumber, blockHash } = receipt
    if (hash.toLowerCase() !== txid) throw new Error('the response is about another transaction')
    const transfer = status === 1 ? transferOf(logs, asset, authorization) : null
    return transfer === null ? 'reverted' : { txid, blockNumber, blockHash: blockHash.toLowerCase(), ...transfer }
  }

  /** Returns whether the authorization is used or cancelled. */
  async function isGone(node: ChainNode, { from, nonce }: PaymentPayload['authorization']): Promise<boolean> {
    const data = token.encodeFunctionData('authorizationState', [from, nonce])
    const [state] = token.decodeFunctionResult('authorizationState', await node.call({ to: asset, data }))
    return state === true
  }

  async function search(node: ChainNode, payload: PaymentPayload, since: number) {
    const { from, nonce } = payload.authorization
    if (!(await isGone(node, payload.authorization))) return 'none'
    const to = await node.getBlockNumber()
    const logs = async (topic: string) => {
      const topics = [topic, word(from), nonce]
      const matching = await logsOf(node, { address: asset, topics }, since, to)
      // A node may return logs that do not match the filter.
      return matching.filter(log => log.address.toLowerCase() === asset && named(log, topics))
    }
    const [use] = await logs(usedTopic)
    if (use !== undefined) {
      const outcome = await settlementStatus(node, use.transactionHash.toLowerCase(), payload)
      if (outcome === 'waiting') throw new Error('the transaction of a log is missing')
      return outcome === 'reverted' ? 'cancelled' : outcome
    }
    if ((await logs(canceledTopic)).length > 0) return 'cancelled'
    // The authorization is used, but the logs do not show it yet: the two answers are of different blocks. The caller
    // queries again.
    throw new Error('the use of the authorization is missing')
  }

  const unavailable = (error: unknown): 'unavailable' => {
    if (isChainFault(error)) return 'unavailable'
    throw error
  }

  const findSettlement = (payload: PaymentPayload, sinceBlock: number): Promise<SettlementSearch> =>
    nodes.agreed(node => search(node, payload, sinceBlock)).catch(unavailable)

  const outcome = (txid: string, payload: PaymentPayload): Promise<SettlementOutcome> =>
    nodes.agreed(node => settlementStatus(node, txid.toLowerCase(), payload)).catch(unavailable)

  const isUsed = ({ authorization }: PaymentPayload) =>
    nodes.agreed(node => isGone(node, authorization)).catch(unavailable)

  const isOver = ({ authorization: { validBefore } }: PaymentPayload) =>
    nodes
      .agreed(async node => {
        const block = await node.getBlock('latest')
        if (block === null) throw new Error('the node has no newest block')
        return BigInt(block.timestamp) >= BigInt(validBefore)
      })
      .catch(unavailable)

  return { findSettlement, outcome, isUsed, isOver }
}
