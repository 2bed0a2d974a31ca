// pain.001: the payment as a customer credit transfer initiation. It depends on the receipt alone and holds no URL,
// so that the bundle around it can be rebuilt byte for byte from the receipt.
import type { ReceiptFacts } from '../facts.ts'
import { endToEndId, inBandAmount, uetr } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { account, ids, money, noAgent, party, remittance } from './parts.ts'

const transfer = (receipt: ReceiptFacts): Element =>
  el('CdtTrfTxInf', [
    el('PmtId', [
      el('InstrId', ids.instruction(receipt)),
      el('EndToEndId', endToEndId(receipt.reference)),
      el('UETR', uetr(receipt.id)),
    ]),
    el('Amt', [money('InstdAmt', receipt.amount)]),
    noAgent('CdtrAgt', receipt.chain),
    party('Cdtr', receipt.receiverWallet),
    account('CdtrAcct', receipt.receiverWallet),
    remittance(receipt.reference),
    supplementaryData({ receipt, anchor: null }),
  ])

export const pain001 = message('pain.001.001.09', ({ receipt }) => {
  const total = [el('NbOfTxs', '1'), el('CtrlSum', inBandAmount(receipt.amount).text)]
  const time = dateTime(receipt.createdAt)
  return el('CstmrCdtTrfInitn', [
    el('GrpHdr', [
      el('MsgId', ids.pain001(receipt)),
      el('CreDtTm', time),
      ...total,
      party('InitgPty', receipt.senderWallet),
    ]),
    el('PmtInf', [
      // The same as MsgId: a rule of cross-border practice.
      el('PmtInfId', ids.pain001(receipt)),
      el('PmtMtd', 'TRF'),
      ...total,
      el('ReqdExctnDt', [el('DtTm', time)]),
      party('Dbtr', receipt.senderWallet),
      account('DbtrAcct', receipt.senderWallet),
      noAgent('DbtrAgt', receipt.chain),
      el('ChrgBr', 'SLEV'),
      transfer(receipt),
    ]),
  ])
})
