// Reads the transfers of a token from and to a wallet, and its balance, for a quorum of the nodes of a chain.
import { Interface, toQuantity } from 'ethers'
import { z } from 'zod'
import { AppError, isChainFault } from '../core/errors.ts'
import { topicOf, transferIn, transferTopic } from '../core/token-transfer.ts'
import type { PaymentChain, TokenTransfer } from '../ports/payment-chain.ts'
import { blockAt } from './anchor-search.ts'
import type { ChainNode } from './chain-node.ts'
import { briefly, openSearch } from './node-logs.ts'
import type { Nodes } from './nodes.ts'

// A node's answers are in memory until all nodes have answered.
const mostTransfers = 20_000
const blocksAtOnce = 16

const erc20 = new Interface(['function balanceOf(address) view returns (uint256)'])
const word = z.string().regex(/^0x[0-9a-f]{64}$/i)
const quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i)

export function tokenHistory(
  nodes: Nodes,
  name: string,
): Pick<PaymentChain, 'blockBefore' | 'timesOf' | 'transfersOf' | 'balanceAt'> {
  const getBlock = async (number: number): Promise<{ timestamp: number }> => {
    const [, timestamp] = await nodes.agreed(async node => {
      const block = await node.getBlock(number)
      if (block === null) throw new Error(`the node has no block ${number}`)
      return [block.hash, block.timestamp] as const
    })
    return { timestamp }
  }
  const timeOf = async (number: number) => (await getBlock(number)).timestamp * 1_000

  return {
    async blockBefore(time, last) {
      const target = time.getTime()
      if ((await timeOf(last)) < target) return last
      if ((await timeOf(0)) >= target) return -1
      // A second earlier, because several blocks may have one time.
      let low = await blockAt({ getBlock }, new Date(target - 1_000), 0, last)
      let high = last
      for (let step = 1; low + step < high; step *= 2) {
        if ((await timeOf(low + step)) >= target) high = low + step
        else low += step
      }
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        if ((await timeOf(middle)) < target) low = middle
        else high = middle
      }
      return low
    },

    async timesOf(blockNumbers) {
      const times: Date[] = []
      for (let start = 0; start < blockNumbers.length; start += blocksAtOnce) {
        const some = blockNumbers.slice(start, start + blocksAtOnce)
        times.push(...(await Promise.all(some.map(async number => new Date(await timeOf(number))))))
      }
      return times
    },

    async transfersOf(range) {
      const all = await nodes.answers(node => readTransfers(node, range))
      const answers = all.filter(answer => answer !== null)
      if (all.length - answers.length >= nodes.quorum) return null
      const seen = new Map<string, { transfer: TokenTransfer; reports: number }>()
      for (const answer of answers) {
        for (const [key, transfer] of answer) {
          const one = seen.get(key) ?? { transfer, reports: 0 }
          one.reports += 1
          seen.set(key, one)
        }
      }
      let disagreed = 0
      const transfers: TokenTransfer[] = []
      for (const { transfer, reports } of seen.values()) {
        const others = answers.length - reports
        // That a transfer is not there is a fact as well, which a quorum must report.
        if (reports < nodes.quorum && others < nodes.quorum)
          throw new AppError('chain_disagreement', `The nodes of chain ${name} contradict each other.`)
        const isThere = reports >= nodes.quorum
        if (isThere) transfers.push(transfer)
        disagreed += isThere ? others : reports
      }
      return { transfers: transfers.toSorted((a, b) => a.blockNumber - b.blockNumber || a.index - b.index), disagreed }
    },

    async balanceAt(token, wallet, blockNumber) {
      const block = toQuantity(blockNumber)
      const request = { to: token, data: erc20.encodeFunctionData('balanceOf', [wallet]) }
      try {
        return BigInt(
          await nodes.agreed(async node =>
            token === null
              ? quantity.parse(await node.send('eth_getBalance', [wallet, block]))
              : word.parse(await node.send('eth_call', [request, block])),
          ),
        )
      } catch (error) {
        if (!isChainFault(error)) throw error
        return null
      }
    },
  }
}

/**
 * Returns the transfers by all that they say; null where they are too many. A node may return logs that do not match
 * the filter, or twice.
 */
async function readTransfers(
  node: ChainNode,
  { token, wallet, fromBlock, toBlock }: Parameters<PaymentChain['transfersOf']>[0],
): Promise<Map<string, TokenTransfer> | null> {
  const found = new Map<string, TokenTransfer>()
  for (const topics of [
    [transferTopic, topicOf(wallet)],
    [transferTopic, null, topicOf(wallet)],
  ]) {
    for await (const logs of openSearch(node, briefly)({ address: token, topics }, fromBlock, toBlock)) {
      for (const { address, transactionHash: txid, index, blockNumber, ...log } of logs) {
        const transfer = address === token ? transferIn(log) : null
        if (transfer === null || (transfer.from !== wallet && transfer.to !== wallet)) continue
        if (blockNumber == null || blockNumber < fromBlock || blockNumber > toBlock)
          throw new Error('a log is in another block than those that were asked for')
        const { from, to, units } = transfer
        found.set([blockNumber, index, txid, from, to, units].join(' '), { txid, blockNumber, index, ...transfer })
      }
      if (found.size > mostTransfers) return null
    }
  }
  return found
}
