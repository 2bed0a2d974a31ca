// pacs.004: the return of a payment, sealed in the bundle of a refund in place of a pain.001. The return itself has
// the refund's amount and parties; OrgnlTxRef has the returned payment with its original roles.
import { type Facts, isAnnounced, isSettled } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction, refunded } from './original.ts'
import { pain001 } from './pain001.ts'
import {
  chargeBearer,
  choice,
  created,
  initiator,
  money,
  noAgent,
  payee,
  payer,
  settlement,
  shownAmount,
  totals,
  transactionId,
} from './parts.ts'
import { announced, gradeOf, notToExecute, paidOn } from './workflow.ts'

/** Returns RtrChain: the parties of the refund. */
const chain = (facts: Facts): Element =>
  el('RtrChain', [
    choice(payer(facts)),
    choice(initiator(facts)),
    noAgent('DbtrAgt', facts.receipt.chain),
    noAgent('CdtrAgt', facts.receipt.chain),
    choice(payee(facts)),
  ])

const reason = (facts: Facts): Element => {
  const { reasonCode } = facts.occasion
  return el('RtrRsnInf', [
    payer(facts, 'Orgtr'),
    reasonCode === null ? null : el('Rsn', [el('Cd', reasonCode)]),
    el('AddtlInf', isAnnounced(facts.receipt) ? announced : notToExecute(facts)),
    isAnnounced(facts.receipt) ? el('AddtlInf', gradeOf(facts)) : null,
  ])
}

export const pacs004 = message({
  type: 'pacs.004',
  version: '001.09',
  idPrefix: 'F4-',
  states: 'the return of a payment; for a refund it takes the place of pain.001',
  body: (facts: Facts, messageId) => {
    const original = refunded(facts)
    return el('PmtRtr', [
      el('GrpHdr', [el('MsgId', messageId(facts.occasion)), created(facts), ...totals(facts), settlement(facts)]),
      el('OrgnlGrpInf', [
        el('OrgnlMsgId', pain001.messageId(original.receipt)),
        el('OrgnlMsgNmId', pain001.version),
        el('OrgnlCreDtTm', dateTime(original.receipt.createdAt)),
      ]),
      el('TxInf', [
        el('RtrId', transactionId(facts.receipt)),
        ...originalIds(original, { hasTransactionId: true }),
        money('OrgnlIntrBkSttlmAmt', original),
        paidOn('OrgnlIntrBkSttlmDt', original),
        money('RtrdIntrBkSttlmAmt', facts),
        isSettled(facts.receipt) ? paidOn('IntrBkSttlmDt', facts) : null,
        money('RtrdInstdAmt', facts),
        chargeBearer(facts),
        chain(facts),
        reason(facts),
        originalTransaction(original),
        supplementaryData({ ...facts, anchor: null }, shownAmount(facts).inBand),
      ]),
    ])
  },
})
