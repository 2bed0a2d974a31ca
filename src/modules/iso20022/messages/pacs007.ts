// pacs.007: a request between institutions to reverse the payment. It states no settlement date, because the message
// itself moves no money.
import type { Facts } from '../facts.ts'
import { slotId } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction } from './original.ts'
import { chargeBearer, created, money, settlement, shownAmount, totals } from './parts.ts'
import { originalGroup } from './sealed.ts'
import { movesNothing, reasonInformation } from './workflow.ts'

export const pacs007 = message({
  type: 'pacs.007',
  version: '001.09',
  idPrefix: 'F7-',
  states: 'a reversal, between institutions',
  onRequest: { reason: 'reversalReason', enabledBy: 'enableReturns' },
  body: (facts: Facts, messageId) =>
    el('FIToFIPmtRvsl', [
      el('GrpHdr', [el('MsgId', messageId(facts.occasion)), created(facts), ...totals(facts), settlement(facts)]),
      originalGroup(facts),
      el('TxInf', [
        el('RvslId', slotId('RV-', facts.occasion.id)),
        ...originalIds(facts, { hasTransactionId: true }),
        money('OrgnlIntrBkSttlmAmt', facts),
        money('RvsdIntrBkSttlmAmt', facts),
        money('RvsdInstdAmt', facts),
        chargeBearer(facts),
        reasonInformation('RvslRsnInf', facts, [movesNothing]),
        originalTransaction(facts),
        supplementaryData(facts, shownAmount(facts).inBand),
      ]),
    ]),
})
