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

/** OrgnlInstrId, OrgnlEndToEndId, OrgnlTxId where the schema has it, OrgnlUETR. */
export const originalIds = ({ receipt, organisation }: Facts, withTransaction: boolean): (Element | null)[] => [
  el('OrgnlInstrId', instructionId(receipt)),
  el('OrgnlEndToEndId', endToEnd(receipt, organisation)),
  withTransaction ? el('OrgnlTxId', transactionId(receipt)) : null,
  el('OrgnlUETR', uetrOf(receipt, organisation)),
]

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
  return { ...facts, receipt: { ...refund, ...refundOf, ...wallets, refundOf: null } }
}
