// remt.001: the remittance information of the payment, sent separately from the payment.
import { type Facts, timeOf } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { sealedIds } from './original.ts'
import { pain001 } from './pain001.ts'
import {
  created,
  initiator,
  money,
  noAgent,
  payee,
  payeeAccount,
  payer,
  payerAccount,
  paymentType,
  remittance,
  shownAmount,
} from './parts.ts'
import { gradeOf } from './workflow.ts'

function references(facts: Facts): Element {
  const { receipt } = facts
  const { instruction, endToEnd, transaction, uetr } = sealedIds(facts)
  return el('Refs', [
    // The sealed message of a refund is a pacs.004, which has no PmtInfId.
    receipt.refundOf === null ? el('PmtInfId', pain001.messageId(receipt)) : null,
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
    el('ReqdExctnDt', [el('DtTm', dateTime(timeOf(facts.receipt)))]),
    payer(facts),
    payerAccount(facts),
    noAgent('DbtrAgt', facts.receipt.chain),
    payee(facts),
    payeeAccount(facts),
    noAgent('CdtrAgt', facts.receipt.chain),
  ])

/** Returns the payment's RmtInf, with how the payment is known, and OrgnlPmtInf, which names the payment. */
function advice(facts: Facts): Element {
  const { name, content } = remittance(facts)
  // Not in Ustrd, which readers take for the reference as a whole.
  const known = el('Strd', [el('AddtlRmtInf', gradeOf(facts))])
  return el(name, [...(typeof content === 'string' ? [] : content), known, payment(facts)])
}

export const remt001 = message({
  type: 'remt.001',
  version: '001.05',
  idPrefix: 'RA-',
  states: 'the remittance advice of the payment',
  afterAnchoring: 'if configured',
  onRequest: {},
  body: (facts: Facts, messageId) =>
    el('RmtAdvc', [
      el('GrpHdr', [el('MsgId', messageId(facts.occasion)), created(facts), initiator(facts)]),
      advice(facts),
      // The schema allows SplmtryData only at the root.
      supplementaryData(facts, shownAmount(facts).inBand),
    ]),
})
