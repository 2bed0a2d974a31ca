// The node through which a contract is deployed: it estimates gas and fees, takes the transaction, and reports when the
// transaction is mined.
import { setTimeout as sleep } from 'node:timers/promises'
import { openNodes } from '../../adapters/nodes.ts'
import { isChainFault } from '../../core/errors.ts'
import { CommandError } from '../command.ts'

/** In wei for each unit of gas; `priority` is null on a chain without EIP-1559. */
type Fees = { perGas: bigint; priority: bigint | null }

/** `gasUsed` is null when the node does not say. */
type Mined = { blockNumber: number; gasUsed: bigint | null }

export type Deployable = {
  caip2: string
  offer(from: string, bytecode: string): Promise<{ gasLimit: bigint; fees: Fees; balance: bigint; nonce: number }>
  send(raw: string): Promise<void>
  /** Waits until the transaction is mined and `depth` blocks deep, including its own block. */
  mined(txid: string, depth: number): Promise<Mined>
  /** Returns the code at the address; `0x` when none appears after a while. */
  code(address: string): Promise<string>
}

const pauseMs = 1_000
const patienceMs = 15 * 60_000
const mostTries = 15

export async function openDeployable(rpcUrl: string): Promise<Deployable> {
  const nodes = openNodes({ name: 'behind --rpc', chainId: null, rpcUrls: [rpcUrl], quorum: 1 })
  const caip2 = await nodes.first(async node => `eip155:${await node.getChainId()}`)

  const offer = (from: string, bytecode: string) =>
    nodes.first(async node => {
      const [gas, fee, balance, nonce] = await Promise.all([
        node.estimateGas({ from, data: bytecode }),
        node.getFeeData(),
        node.getBalance(from),
        node.getTransactionCount(from, 'pending'),
      ])
      const perGas = fee.maxFeePerGas ?? fee.gasPrice
      if (perGas === null) throw new Error('the node reports no fee')
      const priority = fee.maxFeePerGas === null ? null : (fee.maxPriorityFeePerGas ?? 0n)
      // A fifth is added, because roll-ups charge for calldata in additional gas, whose amount may rise until the
      // transaction is mined.
      return { gasLimit: (gas * 6n) / 5n, fees: { perGas, priority }, balance, nonce }
    })

  const arrived = (txid: string) =>
    nodes.first(async node => {
      const [receipt, head] = await Promise.all([node.getTransactionReceipt(txid), node.getBlockNumber()])
      if (receipt === null) return null
      const { status, blockNumber, gasUsed = null } = receipt
      return { status, blockNumber, gasUsed, depth: head - blockNumber + 1 }
    })

  async function mined(txid: string, depth: number): Promise<Mined> {
    for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(pauseMs)) {
      // A node that does not answer for a moment says nothing about the transaction.
      const seen = await arrived(txid).catch(error => {
        if (!isChainFault(error)) throw error
        return null
      })
      if (seen?.status === 0) throw new CommandError(`Transaction ${txid} reverted: no contract was created.`)
      if (seen !== null && seen.depth >= depth) return { blockNumber: seen.blockNumber, gasUsed: seen.gasUsed }
    }
    throw new CommandError(
      `Transaction ${txid} is not ${depth} blocks deep after 15 minutes. It may still be mined: look it up before you deploy again.`,
    )
  }

  async function code(address: string): Promise<string> {
    // One URL may lead to several nodes, and the next node may be a block behind.
    for (let tries = 0; tries < mostTries; tries++) {
      const found = await nodes.first(node => node.getCode(address))
      if (found !== '0x') return found
      await sleep(pauseMs)
    }
    return '0x'
  }

  return {
    caip2,
    offer,
    send: raw => nodes.first(async node => void (await node.send('eth_sendRawTransaction', [raw]))),
    mined,
    code,
  }
}
