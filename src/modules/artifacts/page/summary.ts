// What a bookkeeper looks for first: the payments of a message with their exact values, or the accounts of a statement.

import type { XmlNode } from '../read-xml.ts'
import { type OnChainPayment, paymentsIn } from '../reader.ts'
import { fact, type Html, html, said, saidCode, time } from './html.ts'
import { statementCards } from './statement.ts'

/** The part of the page above the whole message. */
export function summary(body: XmlNode): Html {
  const accounts = body.children.filter(node => ['Stmt', 'Rpt', 'Ntfctn'].includes(node.name))
  if (accounts.some(node => node.name !== 'Ntfctn')) return statementCards(body, accounts)
  const payments = paymentsIn(body)
  // A notification of one payment is about the payment; a statement is about its account even with none.
  if (accounts.length > 0 && payments.length !== 1) return statementCards(body, accounts)
  if (payments.length > 0) return html`${payments.map(paymentCard)}`
  return html`<p class="panel">This message carries no on-chain payment.</p>`
}

const paymentCard = (payment: OnChainPayment): Html => html`<section class="panel">
<h3>On-chain payment</h3>
<p class="amount">${said(payment.amount)} ${said(payment.asset)}</p>
${payment.amountInBand === 'exact' ? null : cutNote}<dl>
${fact('Payer', saidCode(payment.payer))}
${fact('Payee', saidCode(payment.payee))}
${fact('Reference', said(payment.reference))}
${fact('Refund of receipt', payment.refundOf === null ? null : saidCode(payment.refundOf))}
${fact('Chain', said(payment.chain))}
${fact(transactionLabel(payment), saidCode(payment.txHash))}
${fact('Recorded', time(payment.recordedAt))}
${fact('Receipt id', saidCode(payment.receiptId))}
${fact('Resource hash', payment.resourceHash === null ? null : saidCode(payment.resourceHash))}
${payment.anchor === null ? fact('Anchored', html`Not stated in this message`) : anchorFacts(payment.anchor)}
</dl>
</section>
`

/** A refund shares its settlement with the payment it gives back: no transaction of its own is recorded. */
const transactionLabel = ({ refundOf }: OnChainPayment): string =>
  refundOf === null ? 'Transaction hash' : 'Transaction of the payment given back'

const cutNote = html`<p class="hint">This is the exact amount. The standard fields of the message hold it cut short,
because ISO 20022 allows 18 digits, 5 of them after the point.</p>
`

const anchorFacts = (anchor: NonNullable<OnChainPayment['anchor']>): Html => html`
${fact('Anchored', html`${time(anchor.anchoredAt)} on ${said(anchor.chain)}, block ${anchor.blockNumber}`)}
${fact('Anchor transaction', saidCode(anchor.txHash))}
${fact('Bundle hash (SHA-256)', saidCode(anchor.bundleHash))}
`
