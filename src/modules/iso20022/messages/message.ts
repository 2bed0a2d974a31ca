// Defines the shape of every ISO message, and its outermost element.
import type { CodeSet } from '../../../core/iso-codes.ts'
import type { Facts, Occasion } from '../facts.ts'
import { slotId } from '../slots.ts'
import { type Element, el, writeXml } from '../xml.ts'

/** When a message is made. One that declares neither is sealed in the bundle. */
type Making = {
  /** Once the receipt is anchored; `if configured`: only for organisations whose configuration lists the type. */
  afterAnchoring?: 'by default' | 'if configured'
  /** When a client requests it. */
  onRequest?: {
    /** The code set of each code. Without a set, the message accepts no such code. */
    reason?: CodeSet
    resolution?: CodeSet
    /** The part of the organisation's configuration that can forbid the message. */
    enabledBy?: 'enableCancellation' | 'enableReturns'
  }
}

/** Returns the Max35Text id of the message that was made on this occasion. */
export type MessageId = (occasion: Pick<Occasion, 'id'>) => string

type Declaration<Type extends string, Content> = Making & {
  type: Type
  version: `${number}.${number}`
  /** Begins every MsgId of the type, so that the messages of one receipt have different ids. */
  idPrefix: string
  /** The content of the message in words, for docs/messages.md. */
  states: string
  /** Returns the one element inside Document. */
  body(content: Content, messageId: MessageId): Element
}

/** Declares a message. `version` of the result is such as `pain.001.001.09`, and is stored with the artifact. */
export function message<const Type extends string, Content>({
  idPrefix,
  body,
  ...declaration
}: Declaration<Type, Content>) {
  const version = `${declaration.type}.${declaration.version}`
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${version}`
  const messageId: MessageId = ({ id }) => slotId(idPrefix, id)
  const document = (content: Content): Element => ({ ...el('Document', [body(content, messageId)]), namespace })
  const build = (content: Content) => writeXml(document(content))
  return { ...declaration, version, namespace, messageId, document, build }
}

/** A message about one receipt. */
export type Message = ReturnType<typeof message<string, Facts>>

/** File name suffix of messages that report an announced refund as settled; the earlier files stay. */
export const settledSuffix = '-settled'

/** File name suffix of messages after checks of the payment have changed, for the nth time, whether it is booked. */
export const checkedSuffix = (nth: number): string => (nth === 1 ? '-checked' : `-checked-${nth}`)

/** SQL: whether it is the file name of a message of the receipt's life, and not of one that was requested. */
export const isOfLife = (name: string): string => `${name} ~ '^[a-z]+[0-9]+(-settled|-checked(-[0-9]+)?)?[.]xml$'`

/** Returns `pain001.xml` for `pain.001`; `suffix` distinguishes several messages of one type. */
export const fileName = (type: string, suffix = ''): string => `${type.replace('.', '')}${suffix}.xml`
