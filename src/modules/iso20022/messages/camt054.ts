// camt.054: the notification of the credit on the receiver's wallet, with one entry: booked, or pending for a refund
// that is only announced.
import type { Facts } from '../facts.ts'
import { slotText } from '../slots.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { entry } from './entry.ts'
import { message } from './message.ts'
import { account, created, credited, organisationParty, payee, shownAmount } from './parts.ts'
import { gradeOf } from './workflow.ts'

function information(facts: Facts): Element {
  const { anchor } = facts
  const grade = gradeOf(facts)
  if (anchor === null) return el('AddtlNtfctnInf', grade)
  const line = `Evidence bundle ${anchor.bundleHash} anchored in block ${anchor.blockNumber} at ${dateTime(anchor.anchoredAt)} in transaction ${anchor.txid} on ${anchor.chain}`
  return el('AddtlNtfctnInf', `${slotText(line, 500 - grade.length - 2)}. ${grade}`)
}

export const camt054 = message({
  type: 'camt.054',
  version: '001.08',
  idPrefix: 'C4-',
  states: "the credit on the recipient's wallet: booked, or pending for a refund that is announced",
  afterAnchoring: 'by default',
  body: (facts: Facts, messageId) => {
    const { receipt, organisation } = facts
    const id = messageId(facts.occasion)
    const sum = (name: string, count: string, total: string) => el(name, [el('NbOfNtries', count), el('Sum', total)])
    const { text: total, currency } = shownAmount(facts)
    return el('BkToCstmrDbtCdtNtfctn', [
      el('GrpHdr', [el('MsgId', id), created(facts), organisationParty('MsgRcpt', organisation)]),
      el('Ntfctn', [
        el('Id', id),
        created(facts),
        account('Acct', credited(receipt), currency, payee(facts, 'Ownr')),
        // All three totals or none, because importers in use fail when only some are present.
        el('TxsSummry', [sum('TtlNtries', '1', total), sum('TtlCdtNtries', '1', total), sum('TtlDbtNtries', '0', '0')]),
        entry(facts, 'CRDT'),
        information(facts),
      ]),
    ])
  },
})
