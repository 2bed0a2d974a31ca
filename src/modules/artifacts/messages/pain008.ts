// pain.008: the payment in the shape of a direct debit, its creditor the collector. No mandate is claimed, as none
// exists: MndtRltdInf, creditor scheme and sequence type are left out.
import type { Facts } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { type Element, el } from '../xml.ts'
import { message } from './message.ts'
import {
  chargeBearer,
  created,
  messageId,
  money,
  noAgent,
  organisationParty,
  payee,
  payeeAccount,
  payer,
  payerAccount,
  paymentId,
  paymentType,
  purpose,
  remittance,
  totals,
} from './parts.ts'
import { recordedOn } from './workflow.ts'

// Whoever carried the message out would collect a second time.
const warning = 'Record only: paid on chain already, nothing is to be collected. No mandate is claimed.'

const debit = (facts: Facts): Element =>
  el('DrctDbtTxInf', [
    paymentId(facts, false),
    money('InstdAmt', facts),
    noAgent('DbtrAgt', facts.receipt.chain),
    payer(facts),
    payerAccount(facts),
    el('InstrForCdtrAgt', warning),
    purpose(facts),
    remittance(facts),
    supplementaryData(facts),
  ])

/** A direct debit is initiated by who collects, so the payee stands in for an organisation that is not configured. */
const collector = (facts: Facts): Element =>
  organisationParty('InitgPty', facts.organisation) ?? payee(facts, 'InitgPty')

export const pain008 = message('pain.008', '001.08', (facts: Facts) => {
  const id = messageId('pain.008', facts.occasion)
  return el('CstmrDrctDbtInitn', [
    el('GrpHdr', [el('MsgId', id), created(facts), ...totals(facts), collector(facts)]),
    el('PmtInf', [
      el('PmtInfId', id),
      el('PmtMtd', 'DD'),
      ...totals(facts),
      paymentType(facts),
      recordedOn('ReqdColltnDt', facts),
      payee(facts),
      payeeAccount(facts),
      noAgent('CdtrAgt', facts.receipt.chain),
      chargeBearer(facts),
      debit(facts),
    ]),
  ])
})
