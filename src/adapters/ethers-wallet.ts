// One address on an EVM chain that signs and hands over transactions, whatever they do. It keeps no nonces.
import { Transaction, type TransactionLike, Wallet } from 'ethers'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { Handover, SignedTransaction } from '../ports/chain.ts'
import { reason } from './node-request.ts'
import type { Decide, Nodes } from './nodes.ts'
import { refusalOf } from './refusal.ts'

export type WalletConfig = {
  privateKey: string
  /** Never more than this for a unit of gas, in wei: above it, transactions wait until the chain is cheaper. */
  maxFeePerGas: bigint
}

type On = { name: string; chainId: bigint; nodes: Nodes }

type Fees = { perGas: bigint; priority: bigint | null }

/** Why nobody took a transaction: the address cannot pay for it. */
export class Unfunded extends Error {}

const held = z.object({ hash: z.string() })

// Nodes take a replacement from a tenth more on, some only from an eighth.
const raised = (fee: bigint) => (fee * 9n) / 8n + 1n
const higher = (a: bigint, b: bigint) => (a > b ? a : b)
export const lower = (a: bigint, b: bigint) => (a < b ? a : b)

// Estimated, not computed: roll-ups bill calldata in gas of their own, and a call that would revert shows there.
// A fifth more, for what such a chain bills may rise until the transaction is mined.
export const withMargin = (estimate: bigint) => (estimate * 6n) / 5n

/** As `Sender`, which says what each does and throws. */
export function openWallet({ privateKey, maxFeePerGas: cap }: WalletConfig, { name, chainId, nodes }: On) {
  const wallet = new Wallet(privateKey)

  /** What the chain asks at present: `priority` is null where it has legacy fees only. */
  const suggested = (): Promise<Fees> =>
    nodes.first(async node => {
      const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = await node.getFeeData()
      if (maxFeePerGas !== null && maxPriorityFeePerGas !== null)
        return { perGas: maxFeePerGas, priority: maxPriorityFeePerGas }
      if (gasPrice === null) throw new Error('the node names no fee')
      return { perGas: gasPrice, priority: null }
    })

  async function sign(call: TransactionLike, { perGas, priority }: Fees, nonce: number): Promise<SignedTransaction> {
    const fee =
      priority === null
        ? { type: 0, gasPrice: perGas }
        : { type: 2, maxFeePerGas: perGas, maxPriorityFeePerGas: lower(priority, perGas) }
    const raw = await wallet.signTransaction({ ...call, ...fee, chainId, nonce })
    return { txid: Transaction.from(raw).hash ?? '', raw, nonce, maxFeePerGas: perGas }
  }

  /** Asks all that has to be asked; what it answers signs. */
  async function prepare(
    to: string,
    data: string,
    gas = () => nodes.first(node => node.estimateGas({ from: wallet.address, to, data })).then(withMargin),
  ): Promise<(nonce: number) => Promise<SignedTransaction>> {
    nodes.recheck()
    const [gasLimit, fees] = await Promise.all([gas(), suggested()])
    const call = { from: wallet.address, to, data, gasLimit }
    return nonce => sign(call, { ...fees, perGas: lower(fees.perGas, cap) }, nonce)
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
      // A legacy fee counts as both.
      priority: now.priority === null ? null : higher(raised(old.maxPriorityFeePerGas ?? oldPerGas), now.priority),
    }
    const { from, to, data, gasLimit, nonce } = old
    return sign({ from, to, data, gasLimit }, fees, nonce)
  }

  async function broadcast(raw: string): Promise<Handover> {
    const { hash } = Transaction.from(raw)
    // To all of them: one that takes it and then forgets it loses nothing. One that takes it is enough to go on.
    const handed = nodes.each(async node => {
      try {
        const answer: unknown = await node.send('eth_sendRawTransaction', [raw])
        if (answer !== hash) throw new Error('it names another transaction')
      } catch (refusal) {
        // Words differ and may be wrong. Whether the node has this very transaction does not.
        const there = await node.send('eth_getTransactionByHash', [hash]).catch(() => null)
        if (held.safeParse(there).data?.hash !== hash) throw refusal
      }
    })
    const accepted = await Promise.any(handed).then(
      () => true,
      () => false,
    )
    if (accepted) return 'accepted'
    const faults = (await Promise.allSettled(handed)).flatMap(result =>
      result.status === 'rejected' ? [result.reason] : [],
    )
    const refusals = faults.map(refusalOf)
    if (refusals.includes('known')) return 'accepted'
    for (const outcome of ['overtaken', 'underpriced'] as const) if (refusals.includes(outcome)) return outcome
    const isPoor = refusals.includes('unfunded')
    const wrongChain = faults.find(fault => fault instanceof AppError)
    if (wrongChain !== undefined && !isPoor) throw wrongChain
    const words = faults.map((fault, at) => `node ${at + 1}: ${reason(fault)}`).join('; ')
    if (!isPoor) throw new AppError('chain_unavailable', noNode, { cause: new Error(words) })
    throw new AppError('chain_unavailable', cannotPay, { cause: new Unfunded(words) })
  }

  const noNode = `No node of chain ${name} took the transaction.`
  const cannotPay = `${wallet.address} cannot pay for transactions on chain ${name}.`

  // A node that lags says too little, which is harmless: what we stored counts too. One that says too much is not believed
  // alone, because a gap would have to be filled.
  const leastOf: Decide<number> = answers => ({ answer: Math.min(...answers) })
  const nonceAt = (block: 'latest' | 'pending') =>
    nodes.agreed(node => node.getTransactionCount(wallet.address, block), leastOf)

  return {
    /** Lower-case 0x. */
    address: wallet.address.toLowerCase(),
    suggested,
    balance: () => nodes.first(node => node.getBalance(wallet.address)),
    pendingNonce: () => nonceAt('pending'),
    minedNonce: () => nonceAt('latest'),
    prepare,
    signNew,
    signFiller: (nonce: number) => signNew(wallet.address, '0x', nonce),
    signReplacement,
    broadcast,
  }
}
