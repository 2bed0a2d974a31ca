// Elements by which a message names an earlier payment and describes it.
import { type Facts, timeOf } from '../facts.ts'
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
 * Returns the ids of the transaction in the sealed message; a message that refers to it uses no others. A pain.001 has
 * no transaction id. A pacs.004 has the ids of the payment that it returns, and its RtrId.
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

/** Returns OrgnlInstrId, OrgnlEndToEndId, OrgnlTxId and OrgnlUETR. `hasTransactionId`: the schema has OrgnlTxId. */
export function originalIds(facts: Facts, { hasTransactionId }: { hasTransactionId: boolean }): (Element | null)[] {
  const { instruction, endToEnd, transaction, uetr } = sealedIds(facts)
  return [
    el('OrgnlInstrId', instruction),
    el('OrgnlEndToEndId', endToEnd),
    hasTransactionId && transaction !== null ? el('OrgnlTxId', transaction) : null,
    el('OrgnlUETR', uetr),
  ]
}

/** Returns OrgnlTxRef, which describes the payment. */
export const originalTransaction = (facts: Facts): Element =>
  el('OrgnlTxRef', [
    el('Amt', [money('InstdAmt', facts)]),
    el('ReqdExctnDt', [el('DtTm', dateTime(timeOf(facts.receipt)))]),
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

/** Returns the facts of the payment that a refund returns. Throws for a receipt that is no refund. */
export function refunded(facts: Facts): Facts {
  const { refundOf, ...refund } = facts.receipt
  if (refundOf === null) throw new Error('only a refund returns a payment')
  const { paidAt: statedAt = null, ...payment } = refundOf
  const wallets = {
    senderWallet: refund.receiverWallet,
    receiverWallet: refund.senderWallet,
    senderKey: refund.receiverKey,
    receiverKey: refund.senderKey,
    senderProven: refund.receiverProven,
    receiverProven: refund.senderProven,
  }
  return {
    ...facts,
    receipt: {
      ...refund,
      ...payment,
      ...wallets,
      refundOf: null,
      refundTxHash: null,
      refundReason: null,
      fiatEquivalent: null,
      settlement: null,
      statedAt,
    },
  }
}
