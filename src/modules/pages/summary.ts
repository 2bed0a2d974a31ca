// Renders what a bookkeeper needs first: the payments of a message with exact values, or the accounts of a statement.

import { sentenceOf, whatIsProven } from '../../core/what-is-proven.ts'
import type { FiatEquivalent } from '../iso20022/facts.ts'
import type { XmlNode } from '../iso20022/read-xml.ts'
import { type OnChainParty, type OnChainPayment, readOnChainPayments } from '../iso20022/reader.ts'
import { fact, type Html, html, said, saidCode, saidLabel, time } from './html.ts'
import { statementCards } from './statement.ts'

/** Renders the part of the page above the whole message. */
export function summary(body: XmlNode): Html {
  const accounts = body.children.filter(node => ['Stmt', 'Rpt', 'Ntfctn'].includes(node.name))
  if (accounts.some(node => node.name !== 'Ntfctn')) return statementCards(body, accounts)
  const payments = readOnChainPayments(body)
  // A notification of one payment is shown as the payment, a notification of none or of several by its accounts.
  if (accounts.length > 0 && payments.length !== 1) return statementCards(body, accounts)
  if (payments.length > 0) return html`${payments.map(paymentCard)}`
  return html`<p class="panel">This message carries no on-chain payment.</p>`
}

function paymentCard(payment: OnChainPayment): Html {
  const { refundOf, txHash, project } = payment
  const isRefund = refundOf !== null
  return html`<section class="panel">
<h3>${isRefund ? nameOf(payment, refundOf) : 'On-chain payment'}</h3>
<p class="amount">${said(payment.amount)} ${saidLabel(payment.asset)}</p>
${payment.amountInBand === 'exact' ? null : cutNote}${isRefund && txHash === null ? announcedNote : null}<dl>
${fact(isRefund ? 'Refunded by' : 'Payer', saidCode(payment.payer))}
${payment.payerParty && partyFact(isRefund ? 'Refunded by, as stated' : 'Payer, as stated', payment.payerParty)}${fact(isRefund ? 'Refunded to' : 'Payee', saidCode(payment.payee))}
${payment.payeeParty && partyFact(isRefund ? 'Refunded to, as stated' : 'Payee, as stated', payment.payeeParty)}
${fact('Reference', said(payment.reference))}
${fact('Chain', said(payment.chain))}
${fact(isRefund ? 'Transaction of the refund' : 'Transaction hash', txHash === null ? (isRefund ? html`Not stated` : null) : saidCode(txHash))}
${isRefund ? refundedFacts(refundOf, payment) : null}
${fact('On its own chain', said(sentenceOf(known(payment))))}
${fact('Paid', payment.settlement?.block ? time(payment.settlement.block.time) : payment.statedAt && time(payment.statedAt))}
${fact('Block', payment.settlement?.block ? said(payment.settlement.block.number) : null)}
${fact('Asset on its chain', payment.settlement?.assetId ? saidCode(payment.settlement.assetId) : null)}
${fact('Recorded', time(payment.recordedAt))}
${fact('Worth then', payment.fiatEquivalent && worth(payment.fiatEquivalent))}
${fact('Booked', payment.bookedAt && time(payment.bookedAt))}
${fact('Receipt id', saidCode(payment.receiptId))}
${fact('Recorded by project', project && saidCode(project.id))}
${fact('Wallet that owns the project', project?.ownerWallet ? saidCode(project.ownerWallet) : null)}
${fact('Resource hash', payment.resourceHash === null ? null : saidCode(payment.resourceHash))}
${payment.anchor === null ? fact('Anchored', html`Not stated in this message`) : anchorFacts(payment.anchor)}
</dl>
<p class="hint">The project that recorded this ${isRefund ? 'refund' : 'payment'} stated it, and any names in the message. ${whatIsProven}</p>
</section>
`
}

const known = ({ settlement, grade }: OnChainPayment) =>
  settlement && { status: settlement.status, grade: grade ?? ('stated' as const) }

/** The name of a wallet is a statement of the project, also where the wallet itself is proven to be the project's. */
const partyFact = (label: string, { name, country, lei, isProven }: OnChainParty): Html | null => {
  const stated = [name, lei, country].filter(value => value !== null).map(value => html`${said(value)} `)
  const proof = isProven ? 'wallet linked to the project by a signature' : 'wallet not proven by a signature'
  return fact(label, html`${stated}<span class="hint">${proof}</span>`)
}

const worth = ({ amount, currency, rate, rateOf, source, asOf }: FiatEquivalent): Html =>
  html`${amount} ${currency} <span class="hint">at ${rate} ${currency} for one ${saidLabel(rateOf)}, by ${said(source)} as of
${time(asOf)}</span>`

function nameOf({ txHash, amount }: OnChainPayment, refundOf: NonNullable<OnChainPayment['refundOf']>): string {
  const name = refundOf.amount === amount ? 'refund' : 'refund in part'
  return txHash === null ? `Announced ${name}` : `R${name.slice(1)}`
}

const refundedFacts = (
  refundOf: NonNullable<OnChainPayment['refundOf']>,
  { amount, asset }: OnChainPayment,
): Html => html`
${fact('Refund of receipt', html`<a href="../../receipt/${refundOf.receiptId}">${saidCode(refundOf.receiptId)}</a>`)}
${fact('Amount of the payment', refundOf.amount === amount ? null : html`${said(refundOf.amount)} ${saidLabel(asset)}`)}
${fact('Transaction of the payment given back', saidCode(refundOf.txHash))}
`

const announcedNote = html`<p class="hint">The project announced this refund and stated no transaction that gave the money
back: it is not settled.</p>
`

const cutNote = html`<p class="hint">This is the exact amount. The standard fields of the message hold it cut short, or
raised to the smallest amount, because ISO 20022 allows 18 digits, 5 of them after the point, and a currency often
fewer.</p>
`

const anchorFacts = (anchor: NonNullable<OnChainPayment['anchor']>): Html => html`
${fact('Anchored', html`${time(anchor.anchoredAt)} on ${said(anchor.chain)}, block ${anchor.blockNumber}`)}
${fact('Anchor transaction', saidCode(anchor.txHash))}
${fact('Bundle hash (SHA-256)', saidCode(anchor.bundleHash))}
`
