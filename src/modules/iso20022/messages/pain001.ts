// pain.001: the payment as a customer credit transfer initiation. It depends on the receipt and its configuration alone
// and contains no URL, so that the bundle around it can be rebuilt byte for byte.
import { type Facts, timeOf } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import {
  chargeBearer,
  created,
  initiator,
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
  shownAmount,
  totals,
} from './parts.ts'
import { notToExecute } from './workflow.ts'

const transfer = (facts: Facts): Element =>
  el('CdtTrfTxInf', [
    paymentId(facts, false),
    el('Amt', [money('InstdAmt', facts)]),
    noAgent('CdtrAgt', facts.receipt.chain),
    payee(facts),
    payeeAccount(facts),
    el('InstrForDbtrAgt', notToExecute(facts)),
    purpose(facts),
    remittance(facts),
    supplementaryData({ ...facts, anchor: null }, shownAmount(facts).inBand),
  ])

export const pain001 = message({
  type: 'pain.001',
  version: '001.09',
  idPrefix: 'P1-',
  states: 'the payment, as an initiation',
  body: (facts: Facts, messageId) => {
    const id = messageId(facts.occasion)
    return el('CstmrCdtTrfInitn', [
      el('GrpHdr', [el('MsgId', id), created(facts), ...totals(facts), initiator(facts)]),
      el('PmtInf', [
        // Cross-border practice requires the same id as MsgId.
        el('PmtInfId', id),
        el('PmtMtd', 'TRF'),
        ...totals(facts),
        paymentType(facts),
        el('ReqdExctnDt', [el('DtTm', dateTime(timeOf(facts.receipt)))]),
        payer(facts),
        payerAccount(facts),
        noAgent('DbtrAgt', facts.receipt.chain),
        chargeBearer(facts),
        transfer(facts),
      ]),
    ])
  },
})
