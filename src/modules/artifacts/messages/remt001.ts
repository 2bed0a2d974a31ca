// remt.001: what the payment was for, told apart from the payment.
import type { Facts } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { sealedIds } from './original.ts'
import {
  created,
  initiator,
  messageId,
  money,
  noAgent,
  payee,
  payeeAccount,
  payer,
  payerAccount,
  paymentType,
  remittance,
} from './parts.ts'

function references(facts: Facts): Element {
  const { receipt } = facts
  const { instruction, endToEnd, transaction, uetr } = sealedIds(facts)
  return el('Refs', [
    // A refund was told in a pacs.004, which has none.
    receipt.refundOf === null ? el('PmtInfId', messageId('pain.001', receipt)) : null,
    el('InstrId', instruction),
    el('EndToEndId', endToEnd),
    transaction === null ? null : el('TxId', transaction),
    el('UETR', uetr),
  ])
}

const payment = (facts: Facts): Element =>
  el('OrgnlPmtInf', [
    references(facts),
    paymentType(facts),
    el('Amt', [money('InstdAmt', facts)]),
    el('ReqdExctnDt', [el('DtTm', dateTime(facts.receipt.createdAt))]),
    payer(facts),
    payerAccount(facts),
    noAgent('DbtrAgt', facts.receipt.chain),
    payee(facts),
    payeeAccount(facts),
    noAgent('CdtrAgt', facts.receipt.chain),
  ])

/** The same as in the payment, and which payment that is. */
function advice(facts: Facts): Element {
  const { name, content } = remittance(facts)
  return el(name, [...(typeof content === 'string' ? [] : content), payment(facts)])
}

export const remt001 = message('remt.001', '001.05', (facts: Facts) =>
  el('RmtAdvc', [
    el('GrpHdr', [el('MsgId', messageId('remt.001', facts.occasion)), created(facts), initiator(facts)]),
    advice(facts),
    // The schema has it at the root alone.
    supplementaryData(facts),
  ]),
)
