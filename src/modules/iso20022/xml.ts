// Writes XML from plain values: the tree type of every message, and the only place that escapes text.
import { LRUCache } from 'lru-cache'
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

// Printable ASCII without `&`, `<` and `>`: most texts, and the test is cheaper than the replacements.
const plain = /^[ -%'-;=?-~]*$/

// xmlbuilder2 treats `&name;` in a text as an entity and does not escape it, and it writes CR raw, which a parser reads
// as LF. Text that is escaped here first passes through its fluent `.txt()` unchanged; its object form would decode the
// text.
const escapeText = (text: string): string =>
  plain.test(text)
    ? text
    : carryable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')

type Node = ReturnType<typeof create>

function append(parent: Node, element: Element, written: (text: string) => string): void {
  const { name, attributes, content } = element
  const node =
    element.namespace === null ? parent.ele(name, attributes) : parent.ele(element.namespace, name, attributes)
  if (typeof content === 'string') node.txt(written(content))
  else for (const child of content) append(node, child, written)
}

/** Returns the document of xmlbuilder2, with `written` of each text in the place of the text. */
function build(root: Element, written: (text: string) => string): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' })
  append(document, root, written)
  return `${document.end({ prettyPrint: true })}\n`
}

/**
 * Returns all that decides what xmlbuilder2 writes around the texts: the tree without its texts, and which of them are
 * empty, because an element with an empty text is one tag. Adds the other texts to `texts`.
 */
function shapeOf({ name, namespace, attributes, content }: Element, texts: string[]): string {
  let shape = `<${name}`
  if (namespace !== null) shape += ` ${JSON.stringify(namespace)}`
  for (const attribute in attributes) shape += ` ${attribute}=${JSON.stringify(attributes[attribute])}`
  if (typeof content !== 'string') {
    for (const child of content) shape += shapeOf(child, texts)
  } else if (content !== '') {
    texts.push(content)
    shape += '#'
  } else shape += "''"
  return `${shape}>`
}

// No name, attribute or escaped text contains it.
const mark = '\u0001'

// A message about one receipt has fewer than a hundred texts. A document with more than these is a statement, whose
// shape hardly comes again.
const mostTexts = 200
const cacheSize = 4 * 1024 * 1024
const templates = new LRUCache<string, string[]>({
  maxSize: cacheSize,
  sizeCalculation: (parts, shape) => parts.reduce((sum, part) => sum + part.length, shape.length),
})

function template(root: Element, shape: string): string[] {
  const parts = build(root, text => (text === '' ? '' : mark)).split(mark)
  templates.set(shape, parts)
  return parts
}

/**
 * Returns the document as indented text with declaration and final line feed. Equal trees produce equal text.
 * xmlbuilder2 writes the first document of a shape, with marks for the texts; later ones have the same parts around
 * their own texts.
 */
export function writeXml(root: Element): string {
  const texts: string[] = []
  const shape = shapeOf(root, texts)
  if (texts.length > mostTexts) return build(root, escapeText)
  const parts = templates.get(shape) ?? template(root, shape)
  return texts.reduce((document, text, index) => document + escapeText(text) + parts[index + 1], parts[0] ?? '')
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
