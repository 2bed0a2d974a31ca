// Judges a sealed check of a payment by itself: whether it speaks of the sealed payment, and whether its proof shows
// what it says. Nothing here asks a node.
import { z } from 'zod'
import { fromUnits, toUnits } from '../../core/decimal.ts'
import { addressKey, caip2Of, chainKey, knownChains, settlementOf, transactionKey } from '../../core/identity.ts'
import { assetNamed, knownAssets } from '../../core/known-assets.ts'
import { assetOf } from '../../core/settlement.ts'
import { type SettlementDocument, settlementDocument } from './document.ts'
import { matchLegs, tokenLegs } from './match.ts'
import { readProof } from './proof.ts'

const tip = z.object({
  tip_tx_hash: z.string(),
  chain: z.string(),
  amount: z.string().regex(/^\d{1,20}(\.\d{1,18})?$/),
  currency: z.string(),
  sender_wallet: z.string(),
  receiver_wallet: z.string(),
})
const receipt = z.object({ refund_of: z.string().nullable(), refund_tx_hash: z.string().nullable() })

/** The sealed payment, by its keys (src/core/identity.ts). */
type Sealed = {
  chain: string
  txid: string
  leg: number | null
  /** A refund that is only announced has no transaction; `txid` is that of the refunded payment. */
  isAnnounced: boolean
  amount: string
  currency: string
  sender: string
  receiver: string
}

/** `chain`: by its CAIP-2 id if the name is known everywhere; else null, and the settlement names it. */
export type Judged = { ok: true; document: SettlementDocument } | { ok: false; reason: string }

class Refusal extends Error {}
const demand: (holds: boolean, reason: string) => asserts holds = (holds, reason) => {
  if (!holds) throw new Refusal(reason)
}

/** The parsed settlement.json, tip.json and receipt.json of one bundle. Never throws. */
export function judgeSettlement(sealed: { settlement: unknown; tip: unknown; receipt: unknown }): Judged {
  try {
    return { ok: true, document: judged(sealed) }
  } catch (error) {
    return { ok: false, reason: error instanceof Refusal ? error.message : 'settlement.json is not well-formed.' }
  }
}

function judged(given: { settlement: unknown; tip: unknown; receipt: unknown }): SettlementDocument {
  const document = settlementDocument.parse(given.settlement)
  const payment = sealedPayment(tip.parse(given.tip), receipt.parse(given.receipt))
  const { status, grade, transaction, leg, differences, proof } = document
  demand(
    caip2Of(payment.chain) === null || payment.chain === document.chain,
    'It is of another chain than the payment.',
  )
  demand(transaction === null || transaction.hash === payment.txid, 'It is of another transaction than the payment.')
  demand(
    document.asset === null || document.asset.label === payment.currency,
    'It is of another asset than the payment.',
  )
  const isMatched = status === 'confirmed' || status === 'not_final'
  demand(isMatched || grade === 'stated', 'It grades a payment that it does not confirm.')
  if (!isMatched) {
    demand(proof === null, 'It proves a payment that it does not confirm.')
    return document
  }
  demand(!payment.isAnnounced, 'It confirms a refund that has no transaction yet.')
  const isClear = differences.length === 0 && document.legs.length === 0 && document.reason === null
  demand(grade !== 'stated' && isClear, 'It confirms a payment that it contradicts.')
  demand(document.quorum > 0 && document.quorum <= document.nodes, 'It confirms a payment that no node confirms.')
  demand(transaction !== null && leg !== null && document.asset !== null, 'It confirms a payment without a transfer.')
  const asset = assetOf(document.asset.id, document.asset.decimals)
  demand(asset !== null && asset.caip2 === document.chain, 'Its asset is not one of its chain.')
  const known = assetNamed(document.asset.label, document.chain, knownAssets, [])
  const isKnown = known === null || (known.id === asset.id && known.decimals === asset.decimals)
  demand(isKnown, `Its asset is not ${known?.id} with ${known?.decimals} decimals, which its label means.`)
  demand(leg.from === payment.sender && leg.to === payment.receiver, 'Its transfer is between other wallets.')
  demand(toUnits(payment.amount, asset.decimals)?.toString() === leg.units, 'Its transfer is of another amount.')
  demand(leg.amount === fromUnits(BigInt(leg.units), asset.decimals), 'It writes the amount in two ways.')
  const { log_index, log_position, value_index } = leg
  const isPlaced =
    asset.contract === null
      ? log_index === null && log_position === null
      : log_index !== null && log_position !== null && log_index >= log_position && value_index === null
  demand(isPlaced, 'Its transfer is at no place.')
  const index = value_index ?? log_index
  demand(index !== null && (payment.leg ?? index) === index, 'It is of another transfer than the payment.')
  if (proof !== null) demandProof(document, payment)
  else demand(grade !== 'proved', 'It has no proof.')
  return document
}

function sealedPayment(stated: z.output<typeof tip>, { refund_of, refund_tx_hash }: z.output<typeof receipt>): Sealed {
  const key = transactionKey(refund_tx_hash ?? stated.tip_tx_hash)
  const { transaction = key, leg = null } = settlementOf(key) ?? {}
  return {
    chain: chainKey(stated.chain, knownChains),
    txid: transaction,
    leg,
    isAnnounced: refund_of !== null && refund_tx_hash === null,
    amount: stated.amount,
    currency: stated.currency,
    sender: addressKey(stated.sender_wallet),
    receiver: addressKey(stated.receiver_wallet),
  }
}

function demandProof({ transaction, leg, asset: named, grade, proof }: SettlementDocument, payment: Sealed): void {
  const asset = named && assetOf(named.id, named.decimals)
  if (transaction === null || leg === null || asset === null) throw new Refusal('It has a proof of nothing.')
  const { block_hash: blockHash, hash: transactionHash, index } = transaction
  const shown = readProof(proof, { blockHash, transactionHash, index })
  if (!shown.ok) throw new Refusal(shown.reason)
  demand(shown.header.number === transaction.block_number, 'Its block has another number.')
  demand(shown.header.timestamp * 1_000 === Date.parse(transaction.block_time), 'Its block has another time.')
  demand(
    grade !== 'proved' || (shown.receipt !== null && shown.transaction !== null),
    'It does not prove the transaction.',
  )
  if (shown.transaction !== null) {
    const { from, to, value } = shown.transaction
    // The signer of a few old transactions cannot be recovered.
    const isFrom = from === null || from === transaction.from
    demand(isFrom && to === transaction.to, 'Its transaction is between other accounts.')
    const isOwn = from === leg.from && to === leg.to && value.toString() === leg.units && leg.value_index === 0
    demand(
      asset.contract !== null || grade !== 'proved' || isOwn,
      'Its transaction does not transfer that value itself.',
    )
  }
  if (shown.receipt === null) return
  demand(shown.receipt.succeeded, 'Its transaction failed.')
  if (asset.contract === null) return
  const logs = shown.receipt.logs.map((log, position) => ({ ...log, contract: log.address, index: position, position }))
  const { amount, sender, receiver } = payment
  const stated = { amount, sender, receiver, asset, leg: leg.log_position }
  demand(
    leg.log_position !== null && matchLegs(stated, tokenLegs({ logs }, asset.contract)).status === 'confirmed',
    'Its transaction has no such transfer at that place.',
  )
}
