// Checks payments on their own chains: what the transaction is, whether one of its transfers is the stated payment, and
// the proof of it.
import { keccak256 } from 'ethers'
import { settlementOf } from '../../core/identity.ts'
import { assetNamed, type LabelledAsset } from '../../core/known-assets.ts'
import { decodeRlp } from '../../core/rlp.ts'
import type { PaidTransaction, PaymentChain } from '../../ports/payment-chain.ts'
import { type Finding, nothing } from './document.ts'
import { matchLegs, ownValue, type Stated, tokenLegs, valueLegs } from './match.ts'

/** A stated payment, by its keys (src/core/identity.ts). `assets`: what its project's configuration says of labels. */
export type StatedPayment = {
  txKey: string
  currency: string
  amount: string
  senderKey: string
  receiverKey: string
  assets: readonly LabelledAsset[]
}

const hash = /^0x[0-9a-f]{64}$/

/** Returns the findings of payments on one chain, in order. Never throws for what nodes do. */
export async function checkPayments(
  chain: PaymentChain,
  known: readonly LabelledAsset[],
  payments: readonly StatedPayment[],
): Promise<Finding[]> {
  const named = payments.map(payment => ({ payment, ...transactionOf(payment.txKey) }))
  const txids = [...new Set(named.flatMap(({ txid }) => (hash.test(txid) ? [txid] : [])))]
  const seen = await chain.look(txids)
  const looked = new Map(txids.map((txid, at) => [txid, seen[at]]))
  const transfersIn = tracing(chain)
  const found = await Promise.all(
    named.map(async ({ payment, txid, leg }): Promise<Finding> => {
      const asset = assetNamed(payment.currency, chain.caip2, known, payment.assets)
      const base = { ...nothing, asset: asset && { ...asset, label: payment.currency } }
      const one = looked.get(txid) ?? 'unknown'
      if (one === 'unknown') return { ...base, status: 'not_found' }
      if ('unavailable' in one) return { ...base, status: 'unavailable', reason: one.unavailable }
      const { found: transaction } = one
      if (asset === null) return { ...base, transaction, status: 'unknown_asset' }
      if (!transaction.succeeded) return { ...base, transaction, status: 'reverted' }
      const { amount, senderKey: sender, receiverKey: receiver } = payment
      return judge(transfersIn, { ...base, transaction }, transaction, { amount, sender, receiver, leg, asset })
    }),
  )
  return withProofs(chain, found)
}

function transactionOf(txKey: string): { txid: string; leg: number | null } {
  const { transaction = txKey, leg = null } = settlementOf(txKey) ?? {}
  return { txid: transaction, leg }
}

const noTraces = 'The chain’s own currency may have moved inside a contract, which these nodes do not show.'

const mostTraces = 4

/** Traces each transaction once, and few at a time: a node works longer for a trace than for all else. */
function tracing(chain: PaymentChain): PaymentChain['valueTransfers'] {
  const traced = new Map<string, ReturnType<PaymentChain['valueTransfers']>>()
  const before: Promise<unknown>[] = []
  return txid => {
    const known = traced.get(txid)
    if (known !== undefined) return known
    const transfers = Promise.resolve(before.at(-mostTraces)).then(() => chain.valueTransfers(txid))
    before.push(transfers)
    traced.set(txid, transfers)
    return transfers
  }
}

async function judge(
  transfersIn: PaymentChain['valueTransfers'],
  base: Omit<Finding, 'status'>,
  transaction: PaidTransaction,
  stated: Stated,
): Promise<Finding> {
  const { contract } = stated.asset
  const legs = contract === null ? valueLegs(ownValue(transaction)) : tokenLegs(transaction, contract)
  let matched = matchLegs(stated, legs)
  if (contract === null && matched.status !== 'confirmed' && !transaction.isPlain) {
    const transfers = await transfersIn(transaction.txid)
    if (transfers === null) return { ...base, status: 'unavailable', reason: noTraces }
    matched = matchLegs(stated, valueLegs(transfers))
  }
  if (matched.status === 'confirmed') {
    const status = transaction.isFinal ? 'confirmed' : 'not_final'
    return { ...base, status, grade: 'observed', leg: matched.leg }
  }
  return { ...base, ...matched }
}

/** Returns the hash of the transaction to which a path leads: its leaf has the rest of the key, and the value. */
function hashIn(path: readonly string[]): string | null {
  const leaf = path.at(-1)
  const parts = leaf === undefined ? null : decodeRlp(Buffer.from(leaf.slice(2), 'hex'))
  const value = Array.isArray(parts) && parts.length === 2 ? parts[1] : null
  return value instanceof Uint8Array ? keccak256(value) : null
}

/** Adds the proofs of what is final. Value that moved inside a contract is in no trie. */
async function withProofs(chain: PaymentChain, found: readonly Finding[]): Promise<Finding[]> {
  const final = found.flatMap(({ status, transaction }) => (status === 'confirmed' && transaction ? [transaction] : []))
  const distinct = [...new Map(final.map(transaction => [transaction.txid, transaction])).values()]
  if (distinct.length === 0) return [...found]
  const made = await chain.prove(distinct)
  const proofs = new Map(distinct.map(({ txid }, at) => [txid, made[at] ?? null]))
  return found.map((finding): Finding => {
    const { status, transaction, leg, asset } = finding
    const proof = status === 'confirmed' && transaction ? (proofs.get(transaction.txid) ?? null) : null
    if (proof === null || transaction === null || leg === null) return finding
    // The nodes may have named another place of the transaction, and proved what is there.
    if (proof.transaction !== null && hashIn(proof.transaction) !== transaction.txid) return finding
    const isToken = asset?.contract != null
    const isShown = isToken || (leg.index === 0 && transaction.value === leg.units && transaction.to === leg.to)
    const isProved = proof.receipt.length > 0 && proof.transaction !== null && isShown
    return { ...finding, proof, grade: isProved ? 'proved' : 'observed' }
  })
}
