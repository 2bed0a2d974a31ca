// Writes XML from plain values: the tree type of every message, and the only place that escapes text.
import { create } from 'xmlbuilder2'

/** An element: its name (with prefix `o:` in our namespace), content, and attributes, which never carry free text. */
export type Element = {
  name: string
  content: string | Element[]
  attributes: Record<string, string>
  /** Namespace declared here; children inherit it. */
  namespace: string | null
}

type Children = (Element | null)[]

/** Returns one element. `null` children are left out, so that callers write optional parts as conditions. */
export function el(name: string, content: string | Children, attributes: Record<string, string> = {}): Element {
  const inner = typeof content === 'string' ? content : content.filter(child => child !== null)
  return { name, content: inner, attributes, namespace: null }
}

// Characters that XML 1.0 cannot carry even escaped: C0 except tab, LF and CR; U+FFFE and U+FFFF; lone surrogates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them.
const uncarryable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu

export const isCarryable = (text: string): boolean => text.search(uncarryable) === -1

/** Returns the text with every character that XML cannot carry replaced by U+FFFD. */
export const carryable = (text: string): string => text.replace(uncarryable, '\ufffd')

// xmlbuilder2 treats `&name;` in a text as an entity and does not escape it, and it writes CR raw, which a parser reads
// as LF. Text that is escaped here first passes through its fluent `.txt()` unchanged; its object form would decode the
// text.
const escapeText = (text: string): string =>
  carryable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')

type Node = ReturnType<typeof create>

function append(parent: Node, element: Element): void {
  const { name, attributes, content } = element
  const node =
    element.namespace === null ? parent.ele(name, attributes) : parent.ele(element.namespace, name, attributes)
  if (typeof content === 'string') node.txt(escapeText(content))
  else for (const child of content) append(node, child)
}

/** Returns the document as indented text with declaration and final line feed. Equal trees produce equal text. */
export function writeXml(root: Element): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' })
  append(document, root)
  return `${document.end({ prettyPrint: true })}\n`
}

/** Splits a text into pieces of at most `size` UTF-16 units, never inside a surrogate pair. No piece for ''. */
export function chunk(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + size, text.length)
    // libxml2 counts code points and Xerces UTF-16 units; the smaller cut satisfies both.
    if (end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** Returns the first `max` UTF-16 units, without half a surrogate pair at the end. */
export const cut = (text: string, max: number): string => chunk(text, max)[0] ?? ''

/** ISODateTime: RFC 3339 in UTC with milliseconds. */
export const dateTime = (time: Date): string => time.toISOString()
