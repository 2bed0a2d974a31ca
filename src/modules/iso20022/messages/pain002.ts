// pain.002: the status of the payment: settled on chain from the start (ACSC), a refund that is only announced (ACTC),
// or a payment that its chain contradicts (PDNG). Whether the evidence is anchored is no state of the payment, so the
// reason of the status states it.
import { type AnchorFacts, type Facts, isAnnounced, isContradicted, type ReceiptFacts } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { carryable, chunk, dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction } from './original.ts'
import { created, initiator, shownAmount, totals } from './parts.ts'
import { originalGroup, originalPaymentInformationId } from './sealed.ts'
import { announced, gradeOf } from './workflow.ts'

/** Returns ACSC (AcceptedSettlementCompleted), ACTC (AcceptedTechnicalValidation) or PDNG (Pending). */
export function statusOf({ receipt }: Facts): string {
  if (isAnnounced(receipt)) return 'ACTC'
  return isContradicted(receipt) ? 'PDNG' : 'ACSC'
}

const sentences = (anchor: AnchorFacts | null): string[] =>
  anchor === null
    ? ['The evidence bundle is not anchored yet.']
    : [
        `Evidence bundle ${anchor.bundleHash}`,
        `anchored on ${anchor.chain}`,
        `in transaction ${anchor.txid}`,
        `block ${anchor.blockNumber} at ${dateTime(anchor.anchoredAt)}`,
      ]

/** Returns a sentence for each fact that the payment's own chain contradicts. */
const differencesOf = ({ settlement }: ReceiptFacts): string[] =>
  (settlement?.differences ?? []).map(
    ({ field, stated, found }) => `${field} stated as ${stated}, on chain ${found ?? 'none'}.`,
  )

/** Returns StsRsnInf, which states how the payment is known, and whether and where the evidence is anchored. */
export const anchoring = (facts: Facts): Element => {
  const { anchor, receipt } = facts
  return el('StsRsnInf', [
    el('Rsn', [el('Prtry', anchor === null ? 'EVIDENCE-NOT-ANCHORED' : 'EVIDENCE-ANCHORED')]),
    ...[...(isAnnounced(receipt) ? [announced] : []), ...differencesOf(receipt), gradeOf(facts), ...sentences(anchor)]
      .flatMap(sentence => chunk(carryable(sentence), 105))
      .map(piece => el('AddtlInf', piece)),
  ])
}

export const pain002 = message({
  type: 'pain.002',
  version: '001.10',
  idPrefix: 'P2-',
  states:
    'settled (ACSC), a refund that is announced (ACTC), or contradicted by its chain (PDNG), and where the evidence is anchored',
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
