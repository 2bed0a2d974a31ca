// The shape every ISO message is made in, and its outermost element.
import type { Facts } from '../facts.ts'
import { type Element, el, writeXml } from '../xml.ts'

export type Message = {
  /** Such as `pain.001`. */
  type: string
  /** Such as `pain.001.001.09`; stored with the artifact. */
  version: string
  namespace: string
  fileName: string
  build(facts: Facts): string
}

/** A message of this version; `body` gives the one element inside Document. */
export function message(version: string, body: (facts: Facts) => Element): Message {
  const type = version.slice(0, 8)
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${version}`
  const build = (facts: Facts) => writeXml({ ...el('Document', [body(facts)]), namespace })
  return { type, version, namespace, fileName: `${type.replace('.', '')}.xml`, build }
}
