// Renders the whole message as nested rows of label and value: nothing is left out, codes and names are also in words.

import type { XmlNode } from '../iso20022/read-xml.ts'
import { codeWords } from './code-words.ts'
import { type Html, html, said } from './html.ts'
import { labelOf } from './labels.ts'

/** Half a megabyte of HTML. Any client may request pages, and the process does nothing else while it renders one. */
export const maxShownElements = 6_000

/** Renders each block of a message, such as the group header, as a section of its own. */
export function messageSections(body: XmlNode): Html[] {
  const count = countOf(body)
  if (count > maxShownElements) {
    return [
      html`<p class="panel">This message has ${count} elements, too many for a page. The XML file, named below, has
them all.</p>
`,
    ]
  }
  return body.children.map(
    block => html`<section class="panel">
<h3>${name(block)}${block.children.length > 0 ? attributes(block, [block.name]) : null}</h3>
<dl class="rows">
${block.children.length > 0 ? block.children.map(child => row(child, [block.name])) : row(block, [])}</dl>
</section>
`,
  )
}

const countOf = (node: XmlNode): number => node.children.reduce((sum, child) => sum + countOf(child), 1)

/** Renders `Id`, `PrvtId`, `Othr` around one value as one row labelled by the path, to limit indentation in print. */
function row(node: XmlNode, above: string[]): Html {
  const chain = [node]
  let last = node
  for (let only = onlyChild(last); only !== null; only = onlyChild(last)) {
    chain.push(only)
    last = only
  }
  const path = [...above, ...chain.map(part => part.name)]
  const label = chain.map((part, index) => html`${index === 0 ? '' : ' › '}${name(part)}`)
  const more = attributes(last, path)
  if (last.children.length === 0) {
    return html`<div><dt>${label}</dt><dd>${said(last.text)}${meaning(path, last.text)}${more}</dd></div>
`
  }
  return html`<div class="group"><dt>${label}${more}</dt><dd><dl>
${last.children.map(child => row(child, path))}</dl></dd></div>
`
}

const onlyChild = (node: XmlNode): XmlNode | null =>
  node.children.length === 1 && Object.keys(node.attributes).length === 0 ? (node.children[0] ?? null) : null

const name = (node: XmlNode): Html => html`<span title="${node.name}">${labelOf(node.name)}</span>`

function meaning(path: string[], text: string): Html | null {
  const words = codeWords(path, text)
  return words === null ? null : html` <span class="hint">(${words})</span>`
}

const attributes = (node: XmlNode, path: string[]): Html[] =>
  Object.entries(node.attributes).map(
    ([tag, text]) =>
      html` <span class="hint"><span title="${tag}">${labelOf(tag)}</span>: ${said(text)}${meaning([...path, tag], text)}</span>`,
  )
