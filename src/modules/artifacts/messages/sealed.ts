// How later messages name the message in the receipt's evidence bundle.
import type { Facts, ReceiptFacts } from '../facts.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { pacs004 } from './pacs004.ts'
import { pain001 } from './pain001.ts'
import { messageId } from './parts.ts'

/** The message sealed in the bundle. */
export const sealedMessage = ({ refundOf }: Pick<ReceiptFacts, 'refundOf'>) => (refundOf === null ? pain001 : pacs004)

const sealedId = ({ receipt }: Facts) => messageId(sealedMessage(receipt).type, receipt)

/** OrgnlGrpInf and its kin: id, name and time of the sealed message; `more` comes after. */
export const originalGroup = (facts: Facts, name = 'OrgnlGrpInf', more: (Element | null)[] = []): Element =>
  el(name, [
    el('OrgnlMsgId', sealedId(facts)),
    el('OrgnlMsgNmId', sealedMessage(facts.receipt).version),
    el('OrgnlCreDtTm', dateTime(facts.receipt.createdAt)),
    ...more,
  ])

/** OrgnlPmtInfId: the sealed pain.001 has its MsgId there too. A pacs.004 has none, and the schemas demand one. */
export const originalPaymentInformationId = (facts: Facts): Element =>
  el('OrgnlPmtInfId', facts.receipt.refundOf === null ? sealedId(facts) : 'NOTPROVIDED')
