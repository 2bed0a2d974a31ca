// camt.054: the credit on the receiver's wallet, as a notification with one booked entry.
import type { Facts, ReceiptFacts } from '../facts.ts'
import { endToEndId, inBandAmount, label35, quantityUnit, slotText, uetr } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { account, ids, money, noAgent, party, partyChoice, remittance } from './parts.ts'

const bankTransactionCode = el('BkTxCd', [
  el('Domn', [el('Cd', 'PMNT'), el('Fmly', [el('Cd', 'RCDT'), el('SubFmlyCd', 'OTHR')])]),
  el('Prtry', [el('Cd', 'ONCHAIN-PAYMENT')]),
])

/** The exact amount as a quantity where a slot is wide enough: a decimal of 18 digits, else text of 35 characters. */
function quantity(amount: string): Element | null {
  const unit = quantityUnit(amount)
  if (unit !== null) return el('RltdQties', [el('Qty', [el('Unit', unit)])])
  if (amount.length > 35) return null
  return el('RltdQties', [el('Prtry', [el('Tp', 'ASSET-UNITS'), el('Qty', amount)])])
}

const asset = (currency: string): Element =>
  el('FinInstrmId', [
    el('OthrId', [el('Id', label35('CU-', currency)), el('Tp', [el('Prtry', 'ASSET-LABEL')])]),
    el('Desc', slotText(currency, 140)),
  ])

const summary = (receipt: ReceiptFacts): string =>
  slotText(`${receipt.amount} ${receipt.currency} ON ${receipt.chain} TX ${receipt.tipTxHash}`, 500)

const anchoring = ({ anchor }: Facts): Element | null =>
  anchor &&
  el(
    'AddtlNtfctnInf',
    slotText(
      `Evidence bundle ${anchor.bundleHash} anchored in block ${anchor.blockNumber} at ${dateTime(anchor.anchoredAt)} in transaction ${anchor.txid} on ${anchor.chain}`,
      500,
    ),
  )

const details = (facts: Facts): Element => {
  const { receipt } = facts
  return el('TxDtls', [
    el('Refs', [
      el('PmtInfId', ids.pain001(receipt)),
      el('InstrId', ids.instruction(receipt)),
      el('EndToEndId', endToEndId(receipt.reference)),
      el('UETR', uetr(receipt.id)),
      el('TxId', ids.transaction(receipt)),
    ]),
    money('Amt', receipt.amount),
    el('CdtDbtInd', 'CRDT'),
    el('RltdPties', [
      partyChoice('Dbtr', receipt.senderWallet),
      account('DbtrAcct', receipt.senderWallet),
      partyChoice('Cdtr', receipt.receiverWallet),
      account('CdtrAcct', receipt.receiverWallet),
    ]),
    el('RltdAgts', [noAgent('DbtrAgt', receipt.chain), noAgent('CdtrAgt', receipt.chain)]),
    remittance(receipt.reference),
    quantity(receipt.amount),
    asset(receipt.currency),
    el('AddtlTxInf', summary(receipt)),
    supplementaryData(facts),
  ])
}

const entry = (facts: Facts): Element => {
  const time = [el('DtTm', dateTime(facts.receipt.createdAt))]
  return el('Ntry', [
    el('NtryRef', ids.transaction(facts.receipt)),
    money('Amt', facts.receipt.amount),
    el('CdtDbtInd', 'CRDT'),
    el('Sts', [el('Cd', 'BOOK')]),
    el('BookgDt', time),
    el('ValDt', time),
    bankTransactionCode,
    el('NtryDtls', [details(facts)]),
    el('AddtlNtryInf', summary(facts.receipt)),
  ])
}

export const camt054 = message('camt.054.001.08', facts => {
  const { receipt, anchor } = facts
  const id = ids.camt054(receipt)
  const time = el('CreDtTm', dateTime(anchor?.anchoredAt ?? receipt.createdAt))
  const sum = (name: string, count: string, total: string) => el(name, [el('NbOfNtries', count), el('Sum', total)])
  const total = inBandAmount(receipt.amount).text
  return el('BkToCstmrDbtCdtNtfctn', [
    el('GrpHdr', [el('MsgId', id), time]),
    el('Ntfctn', [
      el('Id', id),
      time,
      account('Acct', receipt.receiverWallet, [party('Ownr', receipt.receiverWallet)]),
      // All three or none: readers in use fail on some of them.
      el('TxsSummry', [sum('TtlNtries', '1', total), sum('TtlCdtNtries', '1', total), sum('TtlDbtNtries', '0', '0')]),
      entry(facts),
      anchoring(facts),
    ]),
  ])
})
