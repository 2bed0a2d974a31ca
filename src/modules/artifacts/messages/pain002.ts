// pain.002: the status of the payment, settled on chain from the start (ACSC). Whether its evidence is anchored is no
// state of the payment, so that is said as the reason of the status.
import type { AnchorFacts, Facts } from '../facts.ts'
import { endToEndId, inBandAmount, uetr } from '../slots.ts'
import { supplementaryData } from '../supplementary.ts'
import { carryable, chunk, dateTime, type Element, el } from '../xml.ts'
import { message } from './message.ts'
import { pain001 } from './pain001.ts'
import { account, ids, money, noAgent, party, partyChoice, remittance } from './parts.ts'

const settled = 'ACSC'

const sentences = (anchor: AnchorFacts | null): string[] =>
  anchor === null
    ? ['The evidence bundle is not anchored yet.']
    : [
        `Evidence bundle ${anchor.bundleHash}`,
        `anchored on ${anchor.chain}`,
        `in transaction ${anchor.txid}`,
        `block ${anchor.blockNumber} at ${dateTime(anchor.anchoredAt)}`,
      ]

const anchoring = (anchor: AnchorFacts | null): Element =>
  el('StsRsnInf', [
    el('Rsn', [el('Prtry', anchor === null ? 'EVIDENCE-NOT-ANCHORED' : 'EVIDENCE-ANCHORED')]),
    ...sentences(anchor)
      .flatMap(sentence => chunk(carryable(sentence), 105))
      .map(piece => el('AddtlInf', piece)),
  ])

const original = ({ receipt }: Facts): Element =>
  el('OrgnlTxRef', [
    el('Amt', [money('InstdAmt', receipt.amount)]),
    el('ReqdExctnDt', [el('DtTm', dateTime(receipt.createdAt))]),
    remittance(receipt.reference),
    partyChoice('Dbtr', receipt.senderWallet),
    account('DbtrAcct', receipt.senderWallet),
    noAgent('DbtrAgt', receipt.chain),
    noAgent('CdtrAgt', receipt.chain),
    partyChoice('Cdtr', receipt.receiverWallet),
    account('CdtrAcct', receipt.receiverWallet),
  ])

export const pain002 = message('pain.002.001.10', facts => {
  const { receipt, anchor } = facts
  const total = [el('OrgnlNbOfTxs', '1'), el('OrgnlCtrlSum', inBandAmount(receipt.amount).text)]
  return el('CstmrPmtStsRpt', [
    el('GrpHdr', [
      el('MsgId', ids.pain002(receipt)),
      el('CreDtTm', dateTime(anchor?.anchoredAt ?? receipt.createdAt)),
      party('InitgPty', receipt.senderWallet),
    ]),
    el('OrgnlGrpInfAndSts', [
      el('OrgnlMsgId', ids.pain001(receipt)),
      el('OrgnlMsgNmId', pain001.version),
      el('OrgnlCreDtTm', dateTime(receipt.createdAt)),
      ...total,
      el('GrpSts', settled),
    ]),
    el('OrgnlPmtInfAndSts', [
      el('OrgnlPmtInfId', ids.pain001(receipt)),
      ...total,
      el('PmtInfSts', settled),
      el('TxInfAndSts', [
        el('OrgnlInstrId', ids.instruction(receipt)),
        el('OrgnlEndToEndId', endToEndId(receipt.reference)),
        el('OrgnlUETR', uetr(receipt.id)),
        el('TxSts', settled),
        anchoring(anchor),
        original(facts),
        supplementaryData(facts),
      ]),
    ]),
  ])
})
