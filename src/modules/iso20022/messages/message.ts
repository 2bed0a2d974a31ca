// Defines the shape of every ISO message, and its outermost element.
import type { Facts } from '../facts.ts'
import { type Element, el, writeXml } from '../xml.ts'
import type { MessageType } from './parts.ts'

type Definition = {
  type: MessageType
  /** Such as `pain.001.001.09`; stored with the artifact. */
  version: string
  namespace: string
}

/** A message about one receipt. */
export type Message = Definition & { build(facts: Facts): string }

const definitionOf = <Type extends MessageType>(type: Type, version: `${number}.${number}`) => ({
  type,
  version: `${type}.${version}`,
  namespace: `urn:iso:std:iso:20022:tech:xsd:${type}.${version}`,
})

/** Defines a message of this type and version; `body` returns the one element inside Document. */
export function message<Type extends MessageType, Content = Facts>(
  type: Type,
  version: `${number}.${number}`,
  body: (content: Content) => Element,
) {
  const definition = definitionOf(type, version)
  const build = (content: Content) => writeXml({ ...el('Document', [body(content)]), namespace: definition.namespace })
  return { ...definition, build }
}

/** File name suffix of messages that report an announced refund as settled; the earlier files stay. */
export const settledSuffix = '-settled'

/** Returns `pain001.xml` for `pain.001`; `suffix` distinguishes several messages of one type. */
export const fileName = (type: MessageType, suffix = ''): string => `${type.replace('.', '')}${suffix}.xml`
