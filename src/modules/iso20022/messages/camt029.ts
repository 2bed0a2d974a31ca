// camt.029: the resolution of an investigation of the payment. It names the case of the request (camt.056) that was
// generated last before it, if there is one. The ids of the payment link the two messages too.
import type { Facts, Occasion } from '../facts.ts'
import { slotId } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction } from './original.ts'
import { money, payee, payer, shownAmount } from './parts.ts'
import { originalGroup } from './sealed.ts'
import { assignment, cancelsNothing, caseOf, paidOn, reasonInformation } from './workflow.ts'

// The schema requires a confirmation code. Where none was stated, NINF ("no further information") neither grants nor
// refuses the request.
const notStated = 'NINF'

/** TxCxlSts by confirmation code, for the confirmation codes that are about a cancellation. */
const cancellationStatuses = new Map([
  ['CNCL', 'ACCR'],
  ['RJCR', 'RJCR'],
  ['PDCR', 'PDCR'],
])

function status({ resolutionCode }: Occasion): Element | null {
  const code = cancellationStatuses.get(resolutionCode ?? notStated)
  return code === undefined ? null : el('TxCxlSts', code)
}

const sentences = ({ resolutionCode, answers }: Occasion): string[] => [
  ...(resolutionCode === null ? ['The outcome of the case was not stated.'] : []),
  ...(answers === null ? [] : [`Answers case ${answers.caseId} of ${dateTime(answers.createdAt)}.`]),
  cancelsNothing,
]

const transaction = (facts: Facts): Element =>
  el('TxInfAndSts', [
    el('CxlStsId', slotId('CD-', facts.occasion.id)),
    originalGroup(facts),
    ...originalIds(facts, { hasTransactionId: true }),
    status(facts.occasion),
    reasonInformation('CxlStsRsnInf', facts, sentences(facts.occasion)),
    money('OrgnlIntrBkSttlmAmt', facts),
    paidOn('OrgnlIntrBkSttlmDt', facts),
    originalTransaction(facts),
  ])

export const camt029 = message({
  type: 'camt.029',
  version: '001.09',
  idPrefix: 'C9-',
  states: 'the answer to a cancellation request',
  onRequest: {
    reason: 'cancellationRejection',
    resolution: 'investigationConfirmation',
    enabledBy: 'enableCancellation',
  },
  body: (facts: Facts, messageId) =>
    el('RsltnOfInvstgtn', [
      // The payee answers the payer. A request (camt.056) goes the other way.
      assignment(messageId(facts.occasion), facts, payee, payer),
      facts.occasion.answers && caseOf('RslvdCase', facts.occasion.answers.caseId, facts),
      el('Sts', [el('Conf', facts.occasion.resolutionCode ?? notStated)]),
      el('CxlDtls', [transaction(facts)]),
      // The schema allows SplmtryData only at the root.
      supplementaryData(facts, shownAmount(facts).inBand),
    ]),
})
