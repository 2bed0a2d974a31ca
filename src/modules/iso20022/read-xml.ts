// Parses XML text into a plain tree. Accepts only well-formed XML 1.0 with namespaces, without a document type, within
// limits.
import { SaxesParser } from 'saxes'

export type XmlNode = {
  /** Local name, without prefix. */
  name: string
  /** Namespace URI; empty when there is none. */
  namespace: string
  /** By name as written, with its prefix; namespace declarations are left out. */
  attributes: Record<string, string>
  children: XmlNode[]
  /** The text directly inside, CDATA included, white space untouched. */
  text: string
}

export const maxXmlBytes = 16 * 1024 * 1024
export const maxXmlDepth = 64
/** 16 MiB of XML could contain four million elements, each of which takes hundreds of bytes of memory. */
const maxXmlElements = 1_000_000

/** Returns the root element. Throws an Error that names the fault and, for ill-formed text, its line and column. */
export function readXml(xml: string): XmlNode {
  if (Buffer.byteLength(xml) > maxXmlBytes) throw new Error(`The XML is larger than ${maxXmlBytes} bytes.`)
  // The parser reads half a surrogate pair and the next character as one character, even if the next one is a `<`.
  if (!xml.isWellFormed()) throw new Error('The XML is not well-formed: it contains half of a surrogate pair.')
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const open: XmlNode[] = []
  let root: XmlNode | null = null
  let elements = 0
  const addText = (text: string) => {
    const node = open.at(-1)
    if (node !== undefined) node.text += text
  }
  parser.on('error', cause => {
    throw new Error(`The XML is not well-formed: ${cause.message}`, { cause })
  })
  parser.on('doctype', () => {
    throw new Error('The XML has a document type declaration, which is not accepted.')
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    elements += 1
    if (open.length >= maxXmlDepth) throw new Error(`The XML is nested deeper than ${maxXmlDepth} elements.`)
    if (elements > maxXmlElements) throw new Error(`The XML has more than ${maxXmlElements} elements.`)
    const kept = Object.values(attributes).filter(({ name, prefix }) => prefix !== 'xmlns' && name !== 'xmlns')
    const named = Object.fromEntries(kept.map(({ name, value }) => [name, value]))
    const node: XmlNode = { name: local, namespace: uri, attributes: named, children: [], text: '' }
    if (root === null) root = node
    else open.at(-1)?.children.push(node)
    open.push(node)
  })
  parser.on('closetag', () => open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(xml).close()
  if (root === null) throw new Error('The XML is not well-formed: it has no element.')
  return root
}

/** Returns the first element at this path of names; null when there is none. */
export function elementAt(node: XmlNode, ...path: string[]): XmlNode | null {
  let found: XmlNode | undefined = node
  for (const name of path) found = found?.children.find(child => child.name === name)
  return found ?? null
}

/** Returns the text of the first element at this path of names; null when there is none. */
export const textAt = (node: XmlNode, ...path: string[]): string | null => elementAt(node, ...path)?.text ?? null
