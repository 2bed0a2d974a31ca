// pacs.002: the status of the payment, reported between institutions. It refers to the message in the evidence bundle
// (a pain.001, or the pacs.004 of a refund), because a receipt need not have any other message.
import type { Facts } from '../facts.ts'
import { supplementaryData } from '../supplementary.ts'
import { el } from '../xml.ts'
import { message } from './message.ts'
import { originalIds, originalTransaction } from './original.ts'
import { anchoring, statusOf } from './pain002.ts'
import { created, shownAmount, totals } from './parts.ts'
import { originalGroup } from './sealed.ts'

export const pacs002 = message({
  type: 'pacs.002',
  version: '001.10',
  idPrefix: 'F2-',
  states: 'the same status between institutions; for a refund it takes the place of pain.002',
  afterAnchoring: 'if configured',
  onRequest: {},
  body: (facts: Facts, messageId) =>
    el('FIToFIPmtStsRpt', [
      el('GrpHdr', [el('MsgId', messageId(facts.occasion)), created(facts)]),
      originalGroup(facts, 'OrgnlGrpInfAndSts', [
        ...totals(facts, 'OrgnlNbOfTxs', 'OrgnlCtrlSum'),
        el('GrpSts', statusOf(facts)),
      ]),
      el('TxInfAndSts', [
        ...originalIds(facts, { hasTransactionId: true }),
        el('TxSts', statusOf(facts)),
        anchoring(facts),
        originalTransaction(facts),
        supplementaryData(facts, shownAmount(facts).inBand),
      ]),
    ]),
})
