// The page of a message: every value on it as text and nothing else, the payment on top, every element below.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { messages } from '../../src/modules/artifacts/messages/registry.ts'
import { labelOf } from '../../src/modules/artifacts/page/labels.ts'
import { messagePage, pageStyle } from '../../src/modules/artifacts/page/page.ts'
import { maxShownElements } from '../../src/modules/artifacts/page/rows.ts'
import { readXml, type XmlNode } from '../../src/modules/artifacts/read-xml.ts'
import { readOnChainPayments } from '../../src/modules/artifacts/reader.ts'
import { carryable } from '../../src/modules/artifacts/xml.ts'
import { anyText, factsOf, hostileTexts, plainAnchor, plainReceipt } from '../kit/receipts.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const sha256 = 'ab'.repeat(32)
const file = { name: 'message.xml', sha256, downloadUrl: `/files/${sha256}/message.xml` }
const pageOf = (xml: string) => messagePage({ xml, ...file })

/** Every node of a page, parsed as a browser would. */
function nodesOf(page: string): Node[] {
  const faults: string[] = []
  const document = parse(page, { onParseError: error => faults.push(error.code) })
  // Raw C1 controls and noncharacters are text all the same; everything else would be markup we broke.
  expect(faults.filter(code => !/^(control-character|noncharacter)/.test(code))).toEqual([])
  return [document, ...below(document)]
}
const below = (node: Node): Node[] =>
  ('childNodes' in node ? node.childNodes : []).flatMap(child => [child, ...below(child)])
const isElement = (node: Node): node is Element => 'tagName' in node
const elementsOf = (nodes: Node[], ...tags: string[]) =>
  nodes.filter(isElement).filter(node => tags.includes(node.tagName))
const textOf = (node: Node): string =>
  'value' in node ? node.value : ('childNodes' in node ? node.childNodes : []).map(textOf).join('')
const attribute = (node: Element, name: string) => node.attrs.find(attr => attr.name === name)?.value ?? null

/** Label to value of every row whose value is one text. */
const rowsOf = (nodes: Node[]) =>
  elementsOf(nodes, 'dt').map(term => {
    const value = term.parentNode?.childNodes.filter(isElement).find(node => node.tagName === 'dd')
    return [textOf(term), value === undefined ? '' : textOf(value)]
  })

const leaves = (node: XmlNode): XmlNode[] => (node.children.length === 0 ? [node] : node.children.flatMap(leaves))

function expectSound(xml: string): Node[] {
  const nodes = nodesOf(pageOf(xml))
  const elements = nodes.filter(isElement)
  const tags = [...new Set(elements.map(node => node.tagName))]
  const known =
    'html head meta title style body a header main h1 h2 h3 section dl div dt dd p span bdi time footer table caption thead tbody tr th td'
  expect(tags.filter(tag => !known.split(' ').includes(tag))).toEqual([])
  const attributes = new Set(elements.flatMap(node => node.attrs.map(attr => attr.name)))
  const harmless = 'lang charset name content class href id tabindex title datetime scope role aria-labelledby'
  expect([...attributes].filter(name => !harmless.split(' ').includes(name))).toEqual([])
  expect(elementsOf(nodes, 'a').map(node => attribute(node, 'href'))).toEqual(['#main', '/', file.downloadUrl])
  expect(elementsOf(nodes, 'style').map(textOf)).toEqual([pageStyle])
  const ids = elements.map(node => attribute(node, 'id')).filter(id => id !== null)
  expect(new Set(ids).size).toBe(ids.length)
  const said = new Set(elementsOf(nodes, 'bdi').map(textOf))
  // Also proves white space and CR: the text of each bdi is the very text of the element.
  for (const leaf of leaves(readXml(xml))) expect(said).toContain(leaf.text)
  for (const { reference, payer, payee, asset, txHash } of readOnChainPayments(xml)) {
    for (const text of [reference, payer, payee, asset, txHash]) expect(said).toContain(carryable(text))
  }
  return nodes
}

const goldens = new URL('../golden/', import.meta.url)
const goldenNames = readdirSync(goldens).filter(name => name.endsWith('.xml'))
const golden = (name: string) => readFileSync(new URL(name, goldens), 'utf8')
const camt054 = golden('camt054.xml')

describe.each(goldenNames)('the page of %s', name => {
  const nodes = expectSound(golden(name))

  test('is titled by the message in words and by its version', () => {
    const [title = ''] = elementsOf(nodes, 'h1').map(textOf)
    expect(title).toMatch(/^[A-Z][a-z ]+ · (pain|pacs|camt|remt)\.\d{3}\.001\.\d{2}$/)
    expect(elementsOf(nodes, 'title').map(textOf)).toEqual([`${title} · Quittance`])
  })

  test('has headings in order, and names file, hash and what it is', () => {
    const levels = elementsOf(nodes, 'h1', 'h2', 'h3').map(node => Number(node.tagName.slice(1)))
    levels.forEach((level, index) => void expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1))
    const footer = elementsOf(nodes, 'footer').map(textOf).join('')
    for (const words of [file.name, sha256, 'moves no funds', 'XML file is what is hashed and signed']) {
      expect(footer).toContain(words)
    }
  })
})

test.each(['pain.001', 'pain.002', 'camt.054'])('any receipt in %s is text on the page, never markup', type => {
  const message = messages.find(each => each.type === type)
  fc.assert(
    fc.property(factsOf(anyText), facts => void expectSound(message?.build(facts) ?? '')),
    { numRuns: 60 },
  )
})

describe('hostile values', () => {
  const hostile = [
    '</script><script>alert(1)</script>',
    ']]>',
    `"><img src=x onerror='a'>`,
    '\u202eevil\u2066',
    ' a\r\n\tb ',
    '&lt;b&gt;',
  ]
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')

  test.each([...hostile, ...hostileTexts.filter(text => carryable(text) === text)])(
    '%j in text, attribute and file name',
    text => {
      const quoted = escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
      const xml = `<Document><Msg><Nm x="${quoted}">${escaped(text)}</Nm></Msg></Document>`
      const nodes = nodesOf(messagePage({ xml, name: text, sha256: text, downloadUrl: `/files/?n=${text}` }))
      expect(elementsOf(nodes, 'script', 'img')).toEqual([])
      expect(elementsOf(nodes, 'bdi').map(textOf)).toEqual([text, text, text, text])
      expect(attribute(elementsOf(nodes, 'a').at(-1) ?? expect.fail(), 'href')).toBe(`/files/?n=${text}`)
    },
  )

  test('in the names of elements stay names', () => {
    const nodes = nodesOf(
      pageOf('<Document><constructor><__proto__ toString="x">y</__proto__></constructor></Document>'),
    )
    expect(elementsOf(nodes, 'span').map(node => attribute(node, 'title'))).toContain('__proto__')
  })
})

describe('the summary', () => {
  test('of one payment has its exact values and its anchor', () => {
    const rows = Object.fromEntries(rowsOf(expectSound(camt054)).slice(0, 11))
    expect(rows).toMatchObject({
      Payer: plainReceipt.senderWallet,
      Payee: plainReceipt.receiverWallet,
      Reference: plainReceipt.reference,
      Chain: plainReceipt.chain,
      'Transaction hash': plainReceipt.tipTxHash,
      Recorded: '2026-03-01 12:34:56 UTC',
      Anchored: '2026-03-01 12:35:10 UTC on flare, block 1234567',
      'Anchor transaction': plainAnchor.txid,
      'Bundle hash (SHA-256)': plainAnchor.bundleHash,
    })
  })

  test('says when the message states no anchor, or holds the amount cut short', () => {
    const page = pageOf(golden('pain001.xml'))
    expect(page).toContain('Not stated in this message')
    expect(page).not.toContain('cut short')
    expect(pageOf(camt054.replace('inBand="exact"', 'inBand="truncated"'))).toContain('cut short')
  })

  test('says when there is no payment', () => {
    expect(pageOf('<Document><Msg><Id>1</Id></Msg></Document>')).toContain('carries no on-chain payment')
  })
})

describe('a statement', () => {
  const piece = (name: string) => new RegExp(`<${name}>[^]*?</${name}>`).exec(camt054)?.[0] ?? ''
  const entry = piece('Ntry')
  const paid = entry
    .replace('<CdtDbtInd>CRDT', '<CdtDbtInd>DBIT')
    .replace('<o:Amount inBand="exact">12.5', '<o:Amount inBand="truncated">0.123456')
    .replace('<o:Reference>order-2026-000123', '<o:Reference>&lt;/td&gt;')
  const foreign =
    '<Ntry><NtryRef>R1</NtryRef><Amt Ccy="EUR">3</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-03-01</Dt></BookgDt></Ntry>'
  const balance = (code: string, amount: string, side: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="XXX">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd></Bal>`
  const balances = balance('OPBD', '1', 'CRDT') + balance('CLBD', '2', 'DBIT')
  const statement = (entries: string) =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>1</Id>${piece('Acct')}${balances}${entries}</Stmt><Stmt><Id>2</Id>${piece('Acct')}${balances}</Stmt></BkToCstmrStmt></Document>`

  test('shows each account with its balances and a row for each entry', () => {
    const nodes = expectSound(statement(entry + paid + foreign))
    const table = elementsOf(nodes, 'tr').map(row => row.childNodes.filter(isElement).map(textOf))
    const { senderWallet, receiverWallet, tipTxHash, reference } = plainReceipt
    const recorded = table.slice(1).map(([, ...rest]) => rest)
    expect(table[0]).toEqual([
      'Booked',
      'Debit or credit',
      'Amount',
      'Asset',
      'Counterparty',
      'Reference',
      'Transaction hash',
    ])
    expect(table[1]?.[0]).toMatch(/^2026-03-01 12:3\d:\d\d UTC$/)
    expect(recorded).toEqual([
      ['credit', '12.5', 'USDC', senderWallet, reference, tipTxHash],
      ['debit', '0.123456', 'USDC', receiverWallet, '</td>', tipTxHash],
      ['credit', '3', 'EUR', '', 'R1', ''],
    ])
    for (const cell of elementsOf(nodes, 'th')) expect(attribute(cell, 'scope')).toMatch(/^(col|row)$/)
    const rows = rowsOf(nodes)
    expect(rows.slice(0, 4)).toEqual([
      ['Asset', 'USDC'],
      ['Opening booked balance', '1 USDC'],
      ['Closing booked balance', '−2 USDC'],
      ['Entries', '3'],
    ])
    // Of the second account, which has no entries and so no table.
    expect(rows.filter(([label]) => label === 'Entries')).toEqual([
      ['Entries', '3'],
      ['Entries', '0'],
    ])
    expect(elementsOf(nodes, 'table')).toHaveLength(1)
  })

  test('too large for a page keeps its table and leaves the rest to the file', () => {
    const nodes = nodesOf(pageOf(statement(foreign.repeat(maxShownElements / 5))))
    expect(elementsOf(nodes, 'tr').length).toBe(maxShownElements / 5 + 1)
    expect(nodes.map(node => ('value' in node ? node.value : '')).join('')).toContain('too many for a page')
  })
})

describe('codes', () => {
  const shown = (xml: string) =>
    rowsOf(nodesOf(pageOf(`<Document><Msg><A>${xml}</A></Msg></Document>`)))
      .map(row => row[1])
      // Without the two rows of the footer.
      .slice(0, -2)

  test('are said in words by where they stand, and text that looks like one is not', () => {
    const code = (name: string) => `<${name}><Rsn><Cd>CUST</Cd></Rsn></${name}>`
    const [asked = '', refused = ''] = shown(code('CxlRsnInf') + code('CxlStsRsnInf'))
    expect(asked).toMatch(/^CUST \(.+\)$/)
    expect(refused).toMatch(/^CUST \(.+\)$/)
    expect(asked).not.toBe(refused)
    expect(shown('<CdtDbtInd>DBIT</CdtDbtInd><Ustrd>DBIT</Ustrd><Cd>constructor</Cd>')).toEqual([
      'DBIT (debit)',
      'DBIT',
      'constructor',
    ])
  })
})

describe('labels', () => {
  test('are words for the names a reader meets', () => {
    expect(
      ['Dbtr', 'EndToEndId', 'CdtTrfTxInf', 'FIToFIPmtCxlReq', 'IntrmyAgt1Acct', 'OnChainPayment'].map(labelOf),
    ).toEqual([
      'Debtor',
      'End-to-end id',
      'Credit transfer transaction information',
      'Payment cancellation request',
      'Intermediary agent 1 account',
      'On-chain payment',
    ])
  })

  test('of unknown names are the names, split at capitals', () => {
    expect(['FooBarXyz', 'constructor', 'X', 'PmtQQQ7'].map(labelOf)).toEqual([
      'Foo bar xyz',
      'Constructor',
      'X',
      'Payment QQQ 7',
    ])
  })

  const folder = new URL('../../', import.meta.url)
  const schemas = new URL(`${process.env.ISO20022_XSD_DIR ?? '../shared/xsd'}/`, folder)
  test.skipIf(!existsSync(schemas))('leave no abbreviation of the schemas as it is', () => {
    const texts = readdirSync(schemas)
      .filter(name => name.endsWith('.xsd'))
      .map(name => readFileSync(new URL(name, schemas), 'utf8'))
    const names = new Set(
      texts.flatMap(text => [...text.matchAll(/<xs:element[^>]* name="(\w+)"/g)].map(match => match[1] ?? '')),
    )
    expect(names.size).toBeGreaterThan(500)
    // Abbreviations drop vowels: a word without any is one that was missed.
    const missed = [...names].filter(name =>
      labelOf(name)
        .split(' ')
        .some(word => /^[^aeiouy()A-Z\d]+$/i.test(word)),
    )
    expect(missed).toEqual([])
  })
})
