// pain.002: the status of the payment: settled on chain from the start (ACSC), or a refund that is only announced
// (ACTC). Whether the evidence is anchored is no state of the payment, so the reason of the status states it.
import { type AnchorFacts, type Facts, isSettled } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { carryable, chunk, dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction } from './original.ts'
import { created, initiator, shownAmount, totals } from './parts.ts'
import { originalGroup, originalPaymentInformationId } from './sealed.ts'
import { announced, gradeOf } from './workflow.ts'

/** Returns ACSC (AcceptedSettlementCompleted) or ACTC (AcceptedTechnicalValidation). */
export const statusOf = ({ receipt }: Facts): string => (isSettled(receipt) ? 'ACSC' : 'ACTC')

const sentences = (anchor: AnchorFacts | null): string[] =>
  anchor === null
    ? ['The evidence bundle is not anchored yet.']
    : [
        `Evidence bundle ${anchor.bundleHash}`,
        `anchored on ${anchor.chain}`,
        `in transaction ${anchor.txid}`,
        `block ${anchor.blockNumber} at ${dateTime(anchor.anchoredAt)}`,
      ]

/** Returns StsRsnInf, which states how the payment is known, and whether and where the evidence is anchored. */
export const anchoring = (facts: Facts): Element => {
  const { anchor, receipt } = facts
  return el('StsRsnInf', [
    el('Rsn', [el('Prtry', anchor === null ? 'EVIDENCE-NOT-ANCHORED' : 'EVIDENCE-ANCHORED')]),
    ...[...(isSettled(receipt) ? [] : [announced]), gradeOf(facts), ...sentences(anchor)]
      .flatMap(sentence => chunk(carryable(sentence), 105))
      .map(piece => el('AddtlInf', piece)),
  ])
}

export const pain002 = message({
  type: 'pain.002',
  version: '001.10',
  idPrefix: 'P2-',
  states: 'settled (ACSC), or a refund that is announced (ACTC), and where the evidence is anchored',
  afterAnchoring: 'by default',
  body: (facts: Facts, messageId) => {
    const status = statusOf(facts)
    const total = totals(facts, 'OrgnlNbOfTxs', 'OrgnlCtrlSum')
    return el('CstmrPmtStsRpt', [
      el('GrpHdr', [el('MsgId', messageId(facts.occasion)), created(facts), initiator(facts)]),
      originalGroup(facts, 'OrgnlGrpInfAndSts', [...total, el('GrpSts', status)]),
      el('OrgnlPmtInfAndSts', [
        originalPaymentInformationId(facts),
        ...total,
        el('PmtInfSts', status),
        el('TxInfAndSts', [
          ...originalIds(facts, { hasTransactionId: false }),
          el('TxSts', status),
          anchoring(facts),
          originalTransaction(facts),
          supplementaryData(facts, shownAmount(facts).inBand),
        ]),
      ]),
    ])
  },
})
