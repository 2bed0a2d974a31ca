// How messages name a payment that was made before, and say what it was.
import type { Facts } from '../facts.ts'
import { dateTime, type Element, el } from '../xml.ts'
import {
  choice,
  endToEnd,
  instructionId,
  money,
  noAgent,
  payee,
  payeeAccount,
  payer,
  payerAccount,
  paymentType,
  purpose,
  remittance,
  transactionId,
  uetrOf,
} from './parts.ts'

/**
 * The ids by which the sealed message names its transaction: what refers to that message has no others. A pain.001 has no
 * transaction id. A pacs.004 has the ids of the payment it returns, and its RtrId.
 */
export function sealedIds(facts: Facts) {
  const { receipt, organisation } = facts
  const payment = receipt.refundOf === null ? receipt : refunded(facts).receipt
  return {
    instruction: instructionId(payment),
    endToEnd: endToEnd(payment, organisation),
    transaction: receipt.refundOf === null ? null : transactionId(receipt),
    uetr: uetrOf(payment, organisation),
  }
}

/** OrgnlInstrId, OrgnlEndToEndId, OrgnlTxId where the schema has it, OrgnlUETR. */
export function originalIds(facts: Facts, withTransaction: boolean): (Element | null)[] {
  const { instruction, endToEnd, transaction, uetr } = sealedIds(facts)
  return [
    el('OrgnlInstrId', instruction),
    el('OrgnlEndToEndId', endToEnd),
    withTransaction && transaction !== null ? el('OrgnlTxId', transaction) : null,
    el('OrgnlUETR', uetr),
  ]
}

/** OrgnlTxRef: what the payment was. */
export const originalTransaction = (facts: Facts): Element =>
  el('OrgnlTxRef', [
    el('Amt', [money('InstdAmt', facts)]),
    el('ReqdExctnDt', [el('DtTm', dateTime(facts.receipt.createdAt))]),
    paymentType(facts),
    remittance(facts),
    choice(payer(facts)),
    payerAccount(facts),
    noAgent('DbtrAgt', facts.receipt.chain),
    noAgent('CdtrAgt', facts.receipt.chain),
    choice(payee(facts)),
    payeeAccount(facts),
    purpose(facts),
  ])

/** Of a refund: the payment it gives back, in the same facts. */
export function refunded(facts: Facts): Facts {
  const { refundOf, ...refund } = facts.receipt
  if (refundOf === null) throw new Error('only a refund returns a payment')
  const wallets = { senderWallet: refund.receiverWallet, receiverWallet: refund.senderWallet }
  return {
    ...facts,
    receipt: { ...refund, ...refundOf, ...wallets, refundOf: null, refundTxHash: null, fiatEquivalent: null },
  }
}
