// pacs.008: the payment as a customer credit transfer between institutions, although a chain has none. The reference is
// in RmtInf alone, because cross-border practice allows no RltdRmtInf beside it.
import type { Facts } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { type Element, el } from '../xml.ts'
import { message } from './message.ts'
import {
  chargeBearer,
  created,
  money,
  noAgent,
  payee,
  payeeAccount,
  payer,
  payerAccount,
  paymentId,
  paymentType,
  purpose,
  remittance,
  settlement,
  shownAmount,
  totals,
} from './parts.ts'
import { notToExecute, paidOn } from './workflow.ts'

const transfer = (facts: Facts): Element =>
  el('CdtTrfTxInf', [
    paymentId(facts, true),
    paymentType(facts),
    money('IntrBkSttlmAmt', facts),
    paidOn('IntrBkSttlmDt', facts),
    money('InstdAmt', facts),
    chargeBearer(facts),
    payer(facts),
    payerAccount(facts),
    noAgent('DbtrAgt', facts.receipt.chain),
    noAgent('CdtrAgt', facts.receipt.chain),
    payee(facts),
    payeeAccount(facts),
    el('InstrForNxtAgt', [el('InstrInf', notToExecute(facts))]),
    purpose(facts),
    remittance(facts),
    supplementaryData(facts, shownAmount(facts).inBand),
  ])

export const pacs008 = message({
  type: 'pacs.008',
  version: '001.08',
  idPrefix: 'F8-',
  states: 'the payment between institutions',
  afterAnchoring: 'if configured',
  onRequest: {},
  body: (facts: Facts, messageId) =>
    el('FIToFICstmrCdtTrf', [
      el('GrpHdr', [el('MsgId', messageId(facts.occasion)), created(facts), ...totals(facts), settlement(facts)]),
      transfer(facts),
    ]),
})
