// Signs and hands over the transactions of one address on an EVM chain.
import { Interface, Transaction, type TransactionLike, Wallet } from 'ethers'
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { Handover, Sender, SignedTransaction } from '../ports/chain.ts'
import { reason } from './node-request.ts'
import type { Decide, Nodes } from './nodes.ts'
import { refusalOf } from './refusal.ts'

export type SenderConfig = {
  privateKey: string
  /** Never more than this for a unit of gas, in wei: above it, transactions wait until the chain is cheaper. */
  maxFeePerGas: bigint
  replaceAfterMs: number
}

type On = { name: string; contract: string; chainId: bigint; nodes: Nodes }

const functions = new Interface(['function anchorEvidence(bytes32)', 'function anchorEvidenceBatch(bytes32[])'])
const fullBatch = Array.from({ length: 500 }, () => `0x${'ff'.repeat(32)}`)

const callData = (hashes: readonly string[]) =>
  hashes.length === 1
    ? functions.encodeFunctionData('anchorEvidence', [hashes[0]])
    : functions.encodeFunctionData('anchorEvidenceBatch', [hashes])

const held = z.object({ hash: z.string() })

type Fees = { perGas: bigint; priority: bigint | null }

// Nodes take a replacement from a tenth more on, some only from an eighth.
const raised = (fee: bigint) => (fee * 9n) / 8n + 1n
const higher = (a: bigint, b: bigint) => (a > b ? a : b)
const lower = (a: bigint, b: bigint) => (a < b ? a : b)

export function createSender(config: SenderConfig, { name, contract, chainId, nodes }: On): Sender {
  const wallet = new Wallet(config.privateKey)
  const { maxFeePerGas: cap, replaceAfterMs } = config

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

  async function signNew(to: string, data: string, nonce: number): Promise<SignedTransaction> {
    nodes.recheck()
    const call = { from: wallet.address, to, data }
    const [estimate, fees] = await Promise.all([nodes.first(node => node.estimateGas(call)), suggested()])
    // Estimated, not computed: roll-ups bill calldata in gas of their own, and a call that would revert shows here.
    // A fifth more, for what such a chain bills may rise until the transaction is mined.
    const gasLimit = (estimate * 6n) / 5n
    return sign({ ...call, gasLimit }, { ...fees, perGas: lower(fees.perGas, cap) }, nonce)
  }

  async function signAnchor(hashes: readonly string[], nonce: number): Promise<SignedTransaction> {
    if (hashes.length === 0) throw new RangeError('nothing to anchor')
    return signNew(contract, callData(hashes), nonce)
  }

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
    const cause = new Error(faults.map((fault, at) => `node ${at + 1}: ${reason(fault)}`).join('; '))
    const why = isPoor
      ? `${wallet.address} cannot pay for transactions on chain ${name}.`
      : `No node of chain ${name} took the transaction.`
    throw new AppError('chain_unavailable', why, { cause })
  }

  // A node that lags says too little, which is harmless: what we stored counts too. One that says too much is not believed
  // alone, because a gap would have to be filled.
  const leastOf: Decide<number> = answers => ({ answer: Math.min(...answers) })
  const nonceAt = (block: 'latest' | 'pending') =>
    nodes.agreed(node => node.getTransactionCount(wallet.address, block), leastOf)

  const funds = async () => {
    const call = { from: wallet.address, to: contract, data: callData(fullBatch) }
    const [balance, gas, { perGas }] = await Promise.all([
      nodes.first(node => node.getBalance(wallet.address)),
      // Not estimated: a node estimates nothing for one that cannot pay.
      nodes.first(node => node.estimateGas({ ...call, gasPrice: 0n })).catch(() => 1_500_000n),
      suggested(),
    ])
    return { balance, fullBatch: gas * perGas }
  }

  return {
    address: wallet.address.toLowerCase(),
    replaceAfterMs,
    pendingNonce: () => nonceAt('pending'),
    minedNonce: () => nonceAt('latest'),
    signAnchor,
    signFiller: nonce => signNew(wallet.address, '0x', nonce),
    signReplacement,
    broadcast,
    funds,
  }
}
