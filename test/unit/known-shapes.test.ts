// A document of a shape that was written before is, byte for byte, the one that xmlbuilder2 writes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { carryable, type Element, el, writeXml } from '../../src/modules/iso20022/xml.ts'
import { anyFactsOf } from '../kit/facts.ts'
import { allMessages } from '../kit/messages.ts'
import { anyText } from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'

type Node = ReturnType<typeof create>

const escaped = (text: string) =>
  carryable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')

function append(parent: Node, { name, namespace, attributes, content }: Element): void {
  const node = namespace === null ? parent.ele(name, attributes) : parent.ele(namespace, name, attributes)
  if (typeof content === 'string') node.txt(escaped(content))
  else for (const child of content) append(node, child)
}

function byLibrary(root: Element): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' })
  append(document, root)
  return `${document.end({ prettyPrint: true })}\n`
}

test.each(allMessages)('$version, of any receipt', ({ document }) => {
  fc.assert(
    fc.property(anyFactsOf(anyText), facts => {
      const tree = document(facts)
      const expected = byLibrary(tree)
      expect([writeXml(tree), writeXml(tree)]).toEqual([expected, expected])
    }),
    { numRuns: sized(50, 1_000) },
  )
})

const leaf = fc
  .record({ name: fc.constantFrom('a', 'b', 'o:a'), content: anyText, enc: fc.boolean() })
  .map(({ name, content, enc }) => el(name, content, enc ? { enc: 'json', b: 'c' } : {}))
const { tree } = fc.letrec<{ tree: Element }>(tie => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .record({
        name: fc.constantFrom('a', 'b', 'x'),
        content: fc.array(tie('tree'), { maxLength: 4 }),
        namespace: fc.constantFrom(null, 'urn:a', 'urn:b'),
      })
      .map(({ name, content, namespace }) => ({ ...el(name, content), namespace })),
  ),
}))

test('any elements and any texts, in two documents of one shape', () => {
  const withTexts = (element: Element, texts: Iterator<string>): Element => ({
    ...element,
    content:
      typeof element.content === 'string'
        ? element.content && (texts.next().value || '-')
        : element.content.map(child => withTexts(child, texts)),
  })
  fc.assert(
    fc.property(tree, fc.array(anyText), (first, texts) => {
      const root = { ...el('D', [first]), namespace: 'urn:d' }
      const other = withTexts(root, texts.values())
      expect([writeXml(root), writeXml(other)]).toEqual([byLibrary(root), byLibrary(other)])
    }),
    { numRuns: sized(2_000, 50_000) },
  )
})

test('documents with thousands of texts', () => {
  const root = el(
    'D',
    Array.from({ length: 3_000 }, (_, at) => el('x', at % 7 === 0 ? '' : `<${at}>`)),
  )
  expect([writeXml(root), writeXml(root)]).toEqual([byLibrary(root), byLibrary(root)])
})
