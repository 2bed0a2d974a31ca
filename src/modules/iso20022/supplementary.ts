// Builds OnChainPayment: the exact values behind a message, in a namespace of our own (onchain-payment-1.xsd). Every
// accepted value can be read back from it, even where a standard slot carries only a cut value.
import {
  type Facts,
  type FiatEquivalent,
  gradeOfPayment,
  partiallyRefunded,
  type SettlementFacts,
  settlementOf,
} from './facts.ts'
import { type Holder, receiver, sender } from './holder.ts'
import type { InBand } from './slots.ts'
import { dateTime, type Element, el, isCarryable } from './xml.ts'

export const onChainPaymentNamespace = 'urn:quittance:onchain-payment:1'

/** Returns a JSON string literal that also escapes U+FFFE and U+FFFF; JSON.stringify escapes C0 and lone surrogates. */
const jsonLiteral = (text: string): string =>
  JSON.stringify(text).replace(/[\ufffe\uffff]/g, char => `\\u${char.charCodeAt(0).toString(16)}`)

/** Returns an element of our namespace with the exact text, as a JSON literal where XML cannot carry the text. */
export const exactElement = (name: string, value: string): Element =>
  isCarryable(value) ? el(`o:${name}`, value) : el(`o:${name}`, jsonLiteral(value), { enc: 'json' })

function anchorElement(anchor: NonNullable<Facts['anchor']>): Element {
  return el('o:Anchor', [
    exactElement('Chain', anchor.chain),
    exactElement('TxHash', anchor.txid),
    exactElement('BlockNumber', String(anchor.blockNumber)),
    exactElement('AnchoredAt', dateTime(anchor.anchoredAt)),
    exactElement('BundleHash', anchor.bundleHash),
  ])
}

function equivalentElement({ amount, currency, rate, rateOf, source, asOf }: FiatEquivalent): Element {
  return el('o:FiatEquivalent', [
    el('o:Amount', amount),
    el('o:Currency', currency),
    el('o:Rate', rate),
    exactElement('RateOf', rateOf),
    exactElement('Source', source),
    el('o:AsOf', dateTime(asOf)),
  ])
}

/** Returns what a check of the payment on its own chain found. */
function settlementElement(found: SettlementFacts): Element {
  const text = (name: string, value: string | number | null) => (value === null ? null : el(name, String(value)))
  return el('o:Settlement', [
    el('o:Status', found.status),
    el('o:CheckedAt', dateTime(found.checkedAt)),
    text('o:AssetId', found.assetId),
    text('o:BlockNumber', found.blockNumber),
    text('o:BlockHash', found.blockHash),
    found.blockTime === null ? null : el('o:BlockTime', dateTime(found.blockTime)),
    text('o:TransferIndex', found.legIndex),
    text('o:SentBy', found.sentBy),
    text('o:Fee', found.fee),
  ])
}

/** Returns what the project stated of a wallet, and what shows that it is the project's; null if nothing is stated. */
function partyElement(element: string, { stated, isProven }: Holder): Element | null {
  if (stated === null) return null
  const { name, country, lei } = stated
  return el(`o:${element}`, [
    name === null ? null : exactElement('Name', name),
    country === null ? null : el('o:Country', country),
    lei === null ? null : el('o:Lei', lei),
    el('o:Proof', isProven ? 'signature' : 'none'),
  ])
}

/** Returns the SplmtryData element of a message about this receipt. */
export function supplementaryData(facts: Omit<Facts, 'occasion'>, inBand: InBand): Element {
  const { receipt, anchor } = facts
  const { project, refundOf, fiatEquivalent } = receipt
  const txHash = settlementOf(receipt)
  const whole = partiallyRefunded(receipt)
  const payment = el('o:OnChainPayment', [
    exactElement('ReceiptId', receipt.id),
    exactElement('ProjectId', project.id),
    project.ownerWallet === null ? null : exactElement('ProjectOwner', project.ownerWallet),
    exactElement('Reference', receipt.reference),
    exactElement('Chain', receipt.chain),
    txHash === null ? null : exactElement('TxHash', txHash),
    el('o:Amount', receipt.amount, { inBand }),
    exactElement('Asset', receipt.currency),
    exactElement('Payer', receipt.senderWallet),
    partyElement('PayerParty', sender(facts)),
    exactElement('Payee', receipt.receiverWallet),
    partyElement('PayeeParty', receiver(facts)),
    receipt.resourceHash === null ? null : exactElement('ResourceHash', receipt.resourceHash),
    refundOf === null ? null : exactElement('RefundOf', refundOf.id),
    refundOf === null ? null : exactElement('RefundedTxHash', refundOf.tipTxHash),
    whole === null ? null : el('o:RefundedAmount', whole),
    el('o:Grade', gradeOfPayment(receipt)),
    receipt.statedAt === null ? null : el('o:StatedAt', dateTime(receipt.statedAt)),
    receipt.settlement && settlementElement(receipt.settlement),
    exactElement('RecordedAt', dateTime(receipt.createdAt)),
    fiatEquivalent && equivalentElement(fiatEquivalent),
    anchor?.bookedAt == null ? null : exactElement('BookedAt', dateTime(anchor.bookedAt)),
    anchor === null ? null : anchorElement(anchor),
  ])
  return el('SplmtryData', [el('Envlp', [{ ...payment, namespace: onChainPaymentNamespace }])])
}
