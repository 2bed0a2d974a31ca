// camt.029: how an investigation of the payment was resolved. It names no case: the request it answers was an occasion
// of its own, so the ids of the payment tie the two together.
import type { Facts, Occasion } from '../facts.ts'
import { slotId } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction } from './original.ts'
import { money, payee, payer } from './parts.ts'
import { originalGroup } from './sealed.ts'
import { assignment, cancelsNothing, reasonInformation, recordedOn } from './workflow.ts'

// Some confirmation is mandatory. This one, "no further information", neither grants nor refuses the request.
const notStated = 'NINF'

/** Where the confirmation is about a cancellation: the same said of the transaction, in the codes of its own slot. */
const cancellationStatuses = new Map([
  ['CNCL', 'ACCR'],
  ['RJCR', 'RJCR'],
  ['PDCR', 'PDCR'],
])

function status({ resolutionCode }: Occasion): Element | null {
  const code = cancellationStatuses.get(resolutionCode ?? notStated)
  return code === undefined ? null : el('TxCxlSts', code)
}

const sentences = ({ resolutionCode }: Occasion): string[] =>
  resolutionCode === null ? ['The outcome of the case was not stated.', cancelsNothing] : [cancelsNothing]

const transaction = (facts: Facts): Element =>
  el('TxInfAndSts', [
    el('CxlStsId', slotId('CD-', facts.occasion.id)),
    originalGroup(facts),
    ...originalIds(facts, true),
    status(facts.occasion),
    reasonInformation('CxlStsRsnInf', facts, sentences(facts.occasion)),
    money('OrgnlIntrBkSttlmAmt', facts),
    recordedOn('OrgnlIntrBkSttlmDt', facts),
    originalTransaction(facts),
  ])

export const camt029 = message('camt.029', '001.09', (facts: Facts) =>
  el('RsltnOfInvstgtn', [
    // The answer goes from the side that was paid to the side that paid.
    assignment('camt.029', facts, payee, payer),
    el('Sts', [el('Conf', facts.occasion.resolutionCode ?? notStated)]),
    el('CxlDtls', [transaction(facts)]),
    // The schema has it at the root alone.
    supplementaryData(facts),
  ]),
)
