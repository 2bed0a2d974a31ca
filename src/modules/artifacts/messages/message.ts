// The shape every ISO message is made in, and its outermost element.
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

/** A message of this type and version; `body` gives the one element inside Document. */
export function message<Type extends MessageType, Content = Facts>(
  type: Type,
  version: `${number}.${number}`,
  body: (content: Content) => Element,
) {
  const definition = definitionOf(type, version)
  const build = (content: Content) => writeXml({ ...el('Document', [body(content)]), namespace: definition.namespace })
  return { ...definition, build }
}

/** File names of the messages that report an announced refund as settled end so; the earlier ones stay. */
export const settledSuffix = '-settled'

/** `pain.001` to `pain001.xml`; `suffix` tells apart those of which a receipt may have several. */
export const fileName = (type: MessageType, suffix = ''): string => `${type.replace('.', '')}${suffix}.xml`
