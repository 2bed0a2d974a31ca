// pacs.009: the payment as a credit transfer of institutions. Debtor and creditor can only be institutions, so the
// message names the wallets in their place, by id, without the configured names of the parties behind the wallets.
import type { Facts } from '../facts.ts'
import { walletId } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { carryable, chunk, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import {
  created,
  money,
  payeeAccount,
  payerAccount,
  paymentId,
  paymentType,
  purpose,
  settlement,
  shownAmount,
  totals,
} from './parts.ts'
import { notToExecute, paidOn } from './workflow.ts'

function institution(name: string, wallet: string): Element {
  const { id, scheme } = walletId(wallet)
  return el(name, [el('FinInstnId', [el('Othr', [el('Id', id), el('SchmeNm', [el('Prtry', scheme)])])])])
}

/** Returns RmtInf, always as text, because RmtInf has no structured form in this message. */
const reference = ({ receipt }: Facts): Element =>
  el(
    'RmtInf',
    chunk(carryable(receipt.reference), 140).map(piece => el('Ustrd', piece)),
  )

const transfer = (facts: Facts): Element =>
  el('CdtTrfTxInf', [
    paymentId(facts, true),
    paymentType(facts),
    money('IntrBkSttlmAmt', facts),
    paidOn('IntrBkSttlmDt', facts),
    institution('Dbtr', facts.receipt.senderWallet),
    payerAccount(facts),
    institution('Cdtr', facts.receipt.receiverWallet),
    payeeAccount(facts),
    el('InstrForNxtAgt', [el('InstrInf', notToExecute(facts))]),
    purpose(facts),
    reference(facts),
    supplementaryData(facts, shownAmount(facts).inBand),
  ])

export const pacs009 = message({
  type: 'pacs.009',
  version: '001.08',
  idPrefix: 'F9-',
  states: "the payment as an institution's transfer",
  onRequest: {},
  body: (facts: Facts, messageId) =>
    el('FICdtTrf', [
      el('GrpHdr', [el('MsgId', messageId(facts.occasion)), created(facts), ...totals(facts), settlement(facts)]),
      transfer(facts),
    ]),
})
