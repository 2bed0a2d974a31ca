// pain.007: the reversal of the payment, sent by a customer to its institution.
import type { Facts } from '../facts.ts'
import { slotId } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction } from './original.ts'
import { chargeBearer, created, money, organisationParty, shownAmount, totals } from './parts.ts'
import { originalGroup, originalPaymentInformationId } from './sealed.ts'
import { movesNothing, reasonInformation } from './workflow.ts'

const transaction = (facts: Facts): Element =>
  el('TxInf', [
    el('RvslId', slotId('RV-', facts.occasion.id)),
    ...originalIds(facts, { hasTransactionId: false }),
    money('OrgnlInstdAmt', facts),
    money('RvsdInstdAmt', facts),
    chargeBearer(facts),
    reasonInformation('RvslRsnInf', facts, [movesNothing]),
    originalTransaction(facts),
    supplementaryData(facts, shownAmount(facts).inBand),
  ])

export const pain007 = message({
  type: 'pain.007',
  version: '001.09',
  idPrefix: 'P7-',
  states: 'a reversal, from a customer to its institution',
  onRequest: { reason: 'reversalReason', enabledBy: 'enableReturns' },
  body: (facts: Facts, messageId) =>
    el('CstmrPmtRvsl', [
      el('GrpHdr', [
        el('MsgId', messageId(facts.occasion)),
        created(facts),
        ...totals(facts),
        // The payer does not replace a missing organisation here, because a payer does not reverse a payment.
        organisationParty('InitgPty', facts.organisation),
      ]),
      originalGroup(facts),
      el('OrgnlPmtInfAndRvsl', [
        originalPaymentInformationId(facts),
        ...totals(facts, 'OrgnlNbOfTxs', 'OrgnlCtrlSum'),
        transaction(facts),
      ]),
    ]),
})
