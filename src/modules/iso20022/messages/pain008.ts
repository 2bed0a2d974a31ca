// pain.008: the payment in the form of a direct debit that the creditor collects. The message claims no mandate,
// because none exists: MndtRltdInf, creditor scheme and sequence type are left out.
import { type Facts, isSettled } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { type Element, el } from '../xml.ts'
import { message } from './message.ts'
import {
  chargeBearer,
  created,
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
  shownAmount,
  totals,
} from './parts.ts'
import { gradeOf, paidOn } from './workflow.ts'

// An institution that executed the message would collect a second time.
const warning = (facts: Facts): string =>
  `Record only: ${isSettled(facts.receipt) ? 'paid on chain already, ' : ''}nothing is to be collected. No mandate is claimed. ${gradeOf(facts)}`

const debit = (facts: Facts): Element =>
  el('DrctDbtTxInf', [
    paymentId(facts, false),
    money('InstdAmt', facts),
    noAgent('DbtrAgt', facts.receipt.chain),
    payer(facts),
    payerAccount(facts),
    el('InstrForCdtrAgt', warning(facts)),
    purpose(facts),
    remittance(facts),
    supplementaryData(facts, shownAmount(facts).inBand),
  ])

/** Returns InitgPty: the organisation, else the payee, because the collecting party initiates a direct debit. */
const collector = (facts: Facts): Element =>
  organisationParty('InitgPty', facts.organisation) ?? payee(facts, 'InitgPty')

export const pain008 = message({
  type: 'pain.008',
  version: '001.08',
  idPrefix: 'P8-',
  states: 'the payment as a collection that was already paid',
  onRequest: {},
  body: (facts: Facts, messageId) => {
    const id = messageId(facts.occasion)
    return el('CstmrDrctDbtInitn', [
      el('GrpHdr', [el('MsgId', id), created(facts), ...totals(facts), collector(facts)]),
      el('PmtInf', [
        el('PmtInfId', id),
        el('PmtMtd', 'DD'),
        ...totals(facts),
        paymentType(facts),
        paidOn('ReqdColltnDt', facts),
        payee(facts),
        payeeAccount(facts),
        noAgent('CdtrAgt', facts.receipt.chain),
        chargeBearer(facts),
        debit(facts),
      ]),
    ])
  },
})
