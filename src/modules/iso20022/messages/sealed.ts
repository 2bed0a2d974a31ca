// Elements by which later messages name the message in the receipt's evidence bundle.
import type { Facts, ReceiptFacts } from '../facts.ts'
import { dateTime, type Element, el } from '../xml.ts'
import { pacs004 } from './pacs004.ts'
import { pain001 } from './pain001.ts'

/** Returns the definition of the message that is sealed in the bundle. */
export const sealedMessage = ({ refundOf }: Pick<ReceiptFacts, 'refundOf'>) => (refundOf === null ? pain001 : pacs004)

const sealedId = ({ receipt }: Facts) => sealedMessage(receipt).messageId(receipt)

/** Returns OrgnlGrpInf or a similar element: id, name and time of the sealed message, followed by `more`. */
export const originalGroup = (facts: Facts, name = 'OrgnlGrpInf', more: (Element | null)[] = []): Element =>
  el(name, [
    el('OrgnlMsgId', sealedId(facts)),
    el('OrgnlMsgNmId', sealedMessage(facts.receipt).version),
    el('OrgnlCreDtTm', dateTime(facts.receipt.createdAt)),
    ...more,
  ])

/** Returns OrgnlPmtInfId: a pain.001's MsgId, equal to its PmtInfId. Schemas require it, but a pacs.004 has none. */
export const originalPaymentInformationId = (facts: Facts): Element =>
  el('OrgnlPmtInfId', facts.receipt.refundOf === null ? sealedId(facts) : 'NOTPROVIDED')
