// camt.056: the request to cancel the payment. For a payment on a chain it requests that the payee returns the money.
import type { Facts } from '../facts.ts'
import { slotId } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction } from './original.ts'
import { money, payee, payer, shownAmount, totals } from './parts.ts'
import { originalGroup } from './sealed.ts'
import { assignment, cancelsNothing, caseId, caseOf, paidOn, reasonInformation } from './workflow.ts'

const transaction = (facts: Facts): Element =>
  el('TxInf', [
    el('CxlId', slotId('CX-', facts.occasion.id)),
    originalGroup(facts),
    ...originalIds(facts, { hasTransactionId: true }),
    money('OrgnlIntrBkSttlmAmt', facts),
    paidOn('OrgnlIntrBkSttlmDt', facts),
    reasonInformation('CxlRsnInf', facts, [cancelsNothing]),
    originalTransaction(facts),
    supplementaryData(facts, shownAmount(facts).inBand),
  ])

export const camt056 = message({
  type: 'camt.056',
  version: '001.08',
  idPrefix: 'C6-',
  states: 'a request to cancel the payment',
  onRequest: { reason: 'cancellationReason', enabledBy: 'enableCancellation' },
  body: (facts: Facts, messageId) =>
    el('FIToFIPmtCxlReq', [
      assignment(messageId(facts.occasion), facts, payer, payee),
      caseOf('Case', caseId(facts.occasion), facts),
      el('CtrlData', totals(facts)),
      el('Undrlyg', [transaction(facts)]),
    ]),
})
