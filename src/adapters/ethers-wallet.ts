// Signs and broadcasts transactions of one account on an EVM chain, whatever their purpose. It does not manage nonces.
import { keccak256, Transaction, type TransactionLike, Wallet } from 'ethers'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { Account, BroadcastOutcome, Funds, SignedTransaction } from '../ports/chain.ts'
import { reason } from './node-request.ts'
import type { Decide, Nodes } from './nodes.ts'
import { refusalOf } from './refusal.ts'

export type WalletConfig = {
  privateKey: string
  /** The highest fee for a unit of gas, in wei. While the chain requires more, transactions wait. */
  maxFeePerGas: bigint
  /** How long a transaction may wait before it is replaced by one with a higher fee. */
  replaceAfterMs: number
}

type ChainOfWallet = { name: string; chainId: bigint; nodes: Nodes }

type Fees = { perGas: bigint; priority: bigint | null }

const transactionWithHash = z.object({ hash: z.string().toLowerCase() })
const outcomes = ['overtaken', 'underpriced', 'unfunded'] as const

// Nodes accept a replacement whose fee is a tenth higher; some require an eighth.
const raised = (fee: bigint) => (fee * 9n) / 8n + 1n
const higher = (a: bigint, b: bigint) => (a > b ? a : b)
export const lower = (a: bigint, b: bigint) => (a < b ? a : b)

// Gas is estimated, not computed, because roll-ups bill calldata in gas of their own and because an estimate fails for
// a call that would revert. A fifth is added, because what a roll-up bills may rise until the transaction is mined.
export const withMargin = (estimate: bigint) => (estimate * 6n) / 5n

export function openWallet(config: WalletConfig, { name, chainId, nodes }: ChainOfWallet) {
  const { privateKey, maxFeePerGas: cap, replaceAfterMs } = config
  const wallet = new Wallet(privateKey)

  /** Returns the chain's present fees; `priority` is null when the chain has legacy fees only. */
  const suggested = (): Promise<Fees> =>
    nodes.first(async node => {
      const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = await node.getFeeData()
      if (maxFeePerGas !== null && maxPriorityFeePerGas !== null)
        return { perGas: maxFeePerGas, priority: maxPriorityFeePerGas }
      if (gasPrice === null) throw new Error('the node reports no fee')
      return { perGas: gasPrice, priority: null }
    })

  async function sign(call: TransactionLike, { perGas, priority }: Fees, nonce: number): Promise<SignedTransaction> {
    const fee =
      priority === null
        ? { type: 0, gasPrice: perGas }
        : { type: 2, maxFeePerGas: perGas, maxPriorityFeePerGas: lower(priority, perGas) }
    const raw = await wallet.signTransaction({ ...call, ...fee, chainId, nonce })
    return { txid: keccak256(raw), raw, nonce, maxFeePerGas: perGas }
  }

  /** Reads gas limit and fees from the nodes. The returned function signs without further requests. */
  async function prepare(
    to: string,
    data: string,
    gas = () => nodes.first(node => node.estimateGas({ from: wallet.address, to, data })).then(withMargin),
    fees = suggested,
  ): Promise<(nonce: number) => Promise<SignedTransaction>> {
    nodes.recheck()
    const [gasLimit, present] = await Promise.all([gas(), fees()])
    const call = { from: wallet.address, to, data, gasLimit }
    return nonce => sign(call, { ...present, perGas: lower(present.perGas, cap) }, nonce)
  }

  const signNew = async (to: string, data: string, nonce: number) => (await prepare(to, data))(nonce)

  async function signReplacement(raw: string): Promise<SignedTransaction | null> {
    const old = Transaction.from(raw)
    if (old.chainId !== chainId) throw new Error('it was signed for another chain')
    nodes.recheck()
    const now = await suggested()
    const oldPerGas = old.maxFeePerGas ?? old.gasPrice ?? 0n
    const least = raised(oldPerGas)
    if (least > cap) return null
    const fees = {
      perGas: lower(higher(least, now.perGas), cap),
      // A legacy gas price counts as fee and as priority fee.
      priority: now.priority === null ? null : higher(raised(old.maxPriorityFeePerGas ?? oldPerGas), now.priority),
    }
    const { from, to, data, gasLimit, nonce } = old
    return sign({ from, to, data, gasLimit }, fees, nonce)
  }

  async function broadcast(raw: string): Promise<BroadcastOutcome> {
    const hash = keccak256(raw)
    // Sent to all nodes, so that nothing is lost when a node accepts the transaction and then forgets it. One node that
    // accepts it is enough to continue.
    const broadcasts = nodes.each(async node => {
      try {
        const answer: unknown = await node.send('eth_sendRawTransaction', [raw])
        if (String(answer).toLowerCase() !== hash) throw new Error('it returned another transaction hash')
      } catch (refusal) {
        // The wording of refusals differs between nodes and may be wrong; whether a node has this transaction is
        // certain.
        const there = await node.send('eth_getTransactionByHash', [hash]).catch(() => null)
        if (transactionWithHash.safeParse(there).data?.hash !== hash) throw refusal
      }
    })
    const accepted = await Promise.any(broadcasts).then(
      () => true,
      () => false,
    )
    if (accepted) return 'accepted'
    const faults = (await Promise.allSettled(broadcasts)).flatMap(result =>
      result.status === 'rejected' ? [result.reason] : [],
    )
    const refusals = faults.map(refusalOf)
    if (refusals.includes('known')) return 'accepted'
    for (const outcome of outcomes) if (refusals.includes(outcome)) return outcome
    const wrongChain = faults.find(fault => fault instanceof AppError)
    if (wrongChain !== undefined) throw wrongChain
    const words = faults.map((fault, at) => `node ${at + 1}: ${reason(fault)}`).join('; ')
    throw new AppError('chain_unavailable', `No node of chain ${name} took the transaction.`, {
      cause: new Error(words),
    })
  }

  // The lowest nonce counts. Too low a nonce from a lagging node is harmless, because stored transactions count too.
  // One node's higher nonce is not believed alone, because the gap would have to be filled.
  const leastOf: Decide<number> = answers => ({ answer: Math.min(...answers) })
  const nonceAt = (block: 'latest' | 'pending') =>
    nodes.agreed(node => node.getTransactionCount(wallet.address, block), leastOf)

  const account: Omit<Account, 'funds'> = {
    address: wallet.address.toLowerCase(),
    replaceAfterMs,
    pendingNonce: () => nonceAt('pending'),
    minedNonce: () => nonceAt('latest'),
    signFiller: nonce => signNew(wallet.address, '0x', nonce),
    signReplacement,
    broadcast,
  }

  /** Returns the funds of the account; `gas` is that of a transaction of its purpose. */
  async function funds(gas: bigint | Promise<bigint>): Promise<Funds> {
    const [balance, { perGas }, used] = await Promise.all([
      nodes.first(node => node.getBalance(wallet.address)),
      suggested(),
      gas,
    ])
    return { balance, cost: used * perGas }
  }

  return { account, funds, prepare, signNew, suggested }
}
