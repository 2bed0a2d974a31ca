// The page of a message shows every value as text and never as markup, the payment first, every element below it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { visible, visiblePieces } from '../../src/core/visible.ts'
import { whatIsProven } from '../../src/core/what-is-proven.ts'
import type { ReceiptFacts } from '../../src/modules/iso20022/facts.ts'
import { camt052 } from '../../src/modules/iso20022/messages/camt052.ts'
import { camt053 } from '../../src/modules/iso20022/messages/camt053.ts'
import type { Side } from '../../src/modules/iso20022/messages/entry.ts'
import { messageOf, messages } from '../../src/modules/iso20022/messages/registry.ts'
import { type AccountFacts, pagesOf, type StatementFacts } from '../../src/modules/iso20022/messages/statement.ts'
import { readXml, type XmlNode } from '../../src/modules/iso20022/read-xml.ts'
import { readOnChainPayments, readOnChainStatement } from '../../src/modules/iso20022/reader.ts'
import { carryable } from '../../src/modules/iso20022/xml.ts'
import { labelOf } from '../../src/modules/pages/labels.ts'
import { messagePage } from '../../src/modules/pages/page.ts'
import { maxShownElements } from '../../src/modules/pages/rows.ts'
import { pageStyle } from '../../src/modules/pages/style.ts'
import { accountOf as keyed } from '../kit/messages.ts'
import {
  announcedRefund,
  anyAmount,
  anyText,
  booking,
  factsOf,
  hostileTexts,
  plainAnchor,
  plainFacts,
  plainReceipt,
  plainRefund,
  unnumbered,
} from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const sha256 = 'ab'.repeat(32)
const file = { name: 'message.xml', sha256, downloadUrl: `/files/${sha256}/message.xml` }
const pageOf = (xml: string) => messagePage({ xml, ...file })

/** Parses a page as a browser would, and returns every node. */
function nodesOf(page: string): Node[] {
  const faults: string[] = []
  const document = parse(page, { onParseError: error => faults.push(error.code) })
  // Raw C1 controls and noncharacters are valid text; any other parse error would be markup that the page broke.
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
/** Returns the text of a bdi element, with named invisible characters converted back to the characters. */
const saidIn = (node: Node): string => {
  if (isElement(node) && attribute(node, 'class') === 'unseen') {
    return String.fromCodePoint(Number.parseInt(textOf(node).slice(2), 16))
  }
  return 'value' in node ? node.value : ('childNodes' in node ? node.childNodes : []).map(saidIn).join('')
}
const attribute = (node: Element, name: string) => node.attrs.find(attr => attr.name === name)?.value ?? null

/** Returns label and value of every row whose value is one text. */
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
  const links = elementsOf(nodes, 'a').map(node => attribute(node, 'href') ?? '')
  expect(links.filter(href => !/^\.\.\/\.\.\/receipt\/[0-9a-f-]{36}$/.test(href))).toEqual([
    '#main',
    '../../',
    file.downloadUrl,
  ])
  expect(elementsOf(nodes, 'style').map(textOf)).toEqual([pageStyle])
  const ids = elements.map(node => attribute(node, 'id')).filter(id => id !== null)
  expect(new Set(ids).size).toBe(ids.length)
  const said = new Set(elementsOf(nodes, 'bdi').map(saidIn))
  // Also covers white space and CR: the text of each bdi equals the text of the XML element.
  for (const leaf of leaves(readXml(xml))) expect(said).toContain(leaf.text)
  for (const { reference, payer, payee, asset, txHash } of readOnChainPayments(xml)) {
    for (const text of [reference, payer, payee, asset, ...(txHash === null ? [] : [txHash])]) {
      expect(said).toContain(text)
    }
  }
  return nodes
}

const goldens = new URL('../golden/', import.meta.url)
const goldenNames = readdirSync(goldens).filter(name => name.endsWith('.xml'))
const golden = (name: string) => readFileSync(new URL(name, goldens), 'utf8')
const camt054 = golden('camt054.xml')

describe.each(goldenNames)('the page of %s', name => {
  const nodes = expectSound(golden(name))

  test('is titled with the message’s name in words and its version', () => {
    const [title = ''] = elementsOf(nodes, 'h1').map(textOf)
    expect(title).toMatch(/^[A-Z][a-z ]+ · (pain|pacs|camt|remt)\.\d{3}\.001\.\d{2}$/)
    expect(elementsOf(nodes, 'title').map(textOf)).toEqual([`${title} · Quittance`])
  })

  test('has headings in order, and states the file, its hash and its purpose', () => {
    const levels = elementsOf(nodes, 'h1', 'h2', 'h3').map(node => Number(node.tagName.slice(1)))
    levels.forEach((level, index) => void expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1))
    const footer = elementsOf(nodes, 'footer').map(textOf).join('')
    for (const words of [file.name, sha256, 'moves no funds', 'XML file is what is hashed and signed']) {
      expect(footer).toContain(words)
    }
  })
})

test.each(['pain.001', 'pain.002', 'camt.054'])('any receipt in %s is shown as text, never as markup', type => {
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
    '%j in text, attribute and file name is shown as text',
    text => {
      const quoted = escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
      const xml = `<Document><Msg><Nm x="${quoted}">${escaped(text)}</Nm></Msg></Document>`
      const nodes = nodesOf(messagePage({ xml, name: text, sha256: text, downloadUrl: `/files/?n=${text}` }))
      expect(elementsOf(nodes, 'script', 'img')).toEqual([])
      expect(elementsOf(nodes, 'bdi').map(saidIn)).toEqual([text, text, text, text])
      expect(attribute(elementsOf(nodes, 'a').at(-1) ?? expect.fail(), 'href')).toBe(`/files/?n=${text}`)
    },
  )

  test('in the names of elements are shown as names', () => {
    const nodes = nodesOf(
      pageOf('<Document><constructor><__proto__ toString="x">y</__proto__></constructor></Document>'),
    )
    expect(elementsOf(nodes, 'span').map(node => attribute(node, 'title'))).toContain('__proto__')
  })
})

describe('invisible characters', () => {
  const unseen = ['\u202e', '\u2066', '\u200b', '\u00a0', '\u3164', '\u2800', '\u{e0041}', '\ufeff', '\u2028', '\u00ad']

  test.each(unseen)('%j in a label is named, and leaves the amount beside it unchanged', char => {
    const receipt = { ...plainReceipt, amount: '10', currency: `USD 1${char},000C` }
    const page = pageOf(messageOf('camt.054').build({ ...plainFacts, receipt }))
    const [, body = ''] = page.split('<body>')
    expect(body).not.toContain(char)
    const [amount] = elementsOf(nodesOf(page), 'p').filter(node => attribute(node, 'class') === 'amount')
    const [number, label] = amount === undefined ? [] : elementsOf(below(amount), 'bdi')
    expect(number && textOf(number)).toBe('10')
    expect(label && attribute(label, 'class')).toBe('label')
    const name = `U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
    expect(label && textOf(label)).toBe(`USD 1${name},000C`)
  })

  test('are not found in ordinary text', () => {
    const text = 'Zürich café 東京 नमस्ते سلام 12.5 €'
    expect(visible(text)).toBe(text)
  })
})

describe('the summary', () => {
  test('of one payment has its exact values and its anchor', () => {
    const rows = Object.fromEntries(rowsOf(expectSound(camt054)).slice(0, 15))
    expect(rows).toMatchObject({
      Payer: plainReceipt.senderWallet,
      Payee: plainReceipt.receiverWallet,
      Reference: plainReceipt.reference,
      Chain: plainReceipt.chain,
      'Transaction hash': plainReceipt.tipTxHash,
      'On its own chain': 'Stated by the project, not checked on its chain.',
      Recorded: '2026-03-01 12:34:56 UTC',
      Anchored: '2026-03-01 12:35:10 UTC on flare, block 1234567',
      'Anchor transaction': plainAnchor.txid,
      'Bundle hash (SHA-256)': plainAnchor.bundleHash,
    })
  })

  test('states that the message has no anchor, or that the amount is cut short', () => {
    const page = pageOf(golden('pain001.xml'))
    expect(page).toContain('Not stated in this message')
    expect(page).not.toContain('cut short')
    expect(pageOf(camt054.replace('inBand="exact"', 'inBand="truncated"'))).toContain('cut short')
  })

  const returnOf = (receipt: ReceiptFacts) => messageOf('pacs.004').build({ ...plainFacts, receipt })

  test('of a refund names both transactions, both parties, and the refunded receipt', () => {
    const nodes = expectSound(returnOf(plainRefund))
    expect(rowsOf(nodes).slice(0, 7)).toEqual([
      ['Refunded by', plainReceipt.receiverWallet],
      ['Refunded to', plainReceipt.senderWallet],
      ['Reference', plainRefund.reference],
      ['Chain', 'base'],
      ['Transaction of the refund', plainRefund.refundTxHash],
      ['Refund of receipt', plainReceipt.id],
      ['Transaction of the payment given back', plainReceipt.tipTxHash],
    ])
    expect(elementsOf(nodes, 'a').map(node => attribute(node, 'href'))).toContain(`../../receipt/${plainReceipt.id}`)
    expect(elementsOf(nodes, 'h3').map(textOf)[0]).toBe('Refund')
  })

  test('of a refund that is only announced states that it is not settled', () => {
    const nodes = expectSound(returnOf(announcedRefund))
    expect(elementsOf(nodes, 'h3').map(textOf)[0]).toBe('Announced refund')
    expect(rowsOf(nodes)[4]).toEqual(['Transaction of the refund', 'Not stated'])
    expect(elementsOf(nodes, 'p').map(textOf).join(' ')).toContain('it is not settled')
  })

  test('states who provided the names, what is proven, and that the payment was not checked', () => {
    const nodes = expectSound(camt054)
    expect(Object.fromEntries(rowsOf(nodes))).toMatchObject({
      'Recorded by project': plainReceipt.project.id,
      'Wallet that owns the project': plainReceipt.project.ownerWallet,
    })
    const words = elementsOf(nodes, 'p').map(textOf).join(' ')
    expect(words).toContain('The project that recorded this payment stated it, and any names in the message.')
    expect(words).toContain(whatIsProven)
  })

  test('states that the message has no payment', () => {
    expect(pageOf('<Document><Msg><Id>1</Id></Msg></Document>')).toContain('carries no on-chain payment')
  })
})

describe('a third-party statement', () => {
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
      ['debit', '0.123456 cut in the message', 'USDC', receiverWallet, '</td>', tipTxHash],
      ['credit', '3', 'EUR', '', 'R1', ''],
    ])
    for (const cell of elementsOf(nodes, 'th')) expect(attribute(cell, 'scope')).toMatch(/^(col|row)$/)
    const rows = rowsOf(nodes)
    expect(rows.slice(0, 5)).toEqual([
      ['Asset', 'USDC'],
      ['Currency', 'XXX (no currency)'],
      ['Opening booked balance', '1 USDC'],
      ['Closing booked balance', '−2 USDC'],
      ['Entries', '3'],
    ])
    // The second row is that of the second account, which has no entries and so no table.
    expect(rows.filter(([label]) => label === 'Entries')).toEqual([
      ['Entries', '3'],
      ['Entries', '0'],
    ])
    expect(elementsOf(nodes, 'table')).toHaveLength(1)
  })

  test('labels its accounts with the statement’s own names and currencies', () => {
    const named = (acct: string) => statement(entry).replaceAll(piece('Acct'), `<Acct>${acct}</Acct>`)
    const [card, other] = cardsOf(expectSound(named('<Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy><Nm>&lt;b&gt;Till</Nm>')))
    expect([card?.heading, card?.rows[1]]).toEqual(['<b>Till · DE1', ['Currency', 'EUR']])
    expect(other?.heading).toBe(card?.heading)
    const heading = (acct: string) => cardsOf(expectSound(named(acct)))[0]?.heading
    expect(heading('<Id><Othr><Id>7</Id></Othr></Id>')).toBe('Account 7')
    expect(heading('<Nm>Till</Nm>')).toBe('Till')
    expect(heading('')).toBe('Account not named')
  })

  test('that is too large for a page keeps its table, and the rest is only in the file', () => {
    const nodes = nodesOf(pageOf(statement(foreign.repeat(maxShownElements / 5))))
    expect(elementsOf(nodes, 'tr').length).toBe(maxShownElements / 5 + 1)
    expect(nodes.map(node => ('value' in node ? node.value : '')).join('')).toContain('too many for a page')
  })
})

/** Returns the account cards: their headings, rows and table cells. */
const cardsOf = (nodes: Node[]) =>
  elementsOf(nodes, 'section')
    .filter(node => attribute(node, 'aria-labelledby')?.startsWith('account-'))
    .map(section => {
      const inside = below(section)
      const [title] = elementsOf(inside, 'h3')
      return {
        heading: title === undefined ? '' : textOf(title),
        named: title === undefined ? [] : elementsOf(below(title), 'bdi').map(textOf),
        rows: rowsOf(inside),
        table: elementsOf(inside, 'tr')
          .slice(1)
          .map(row => row.childNodes.filter(isElement).map(textOf)),
        text: textOf(section),
      }
    })

describe('a statement of ours', () => {
  const facts: StatementFacts = {
    ...unnumbered,
    id: '0b8f6f5e-1d1c-4c7b-9a55-2f2b8f0f9a01',
    at: new Date('2026-03-02T00:10:00.000Z'),
    from: new Date('2026-03-01T00:00:00.000Z'),
    to: new Date('2026-03-02T00:00:00.000Z'),
    organisation: plainFacts.organisation,
    accounts: [],
  }

  type Labels = Pick<AccountFacts, 'wallet' | 'chain' | 'currency'>
  const labels: Labels = { wallet: 'shop', chain: 'base', currency: 'USDC' }

  /** An account with these amounts; negative amounts are paid out. */
  function accountOf(amounts: string[], opening = '0', { wallet, chain, currency }: Labels = labels): AccountFacts {
    const entries = amounts.map((signed, index) => {
      const side: Side = signed.startsWith('-') ? 'DBIT' : 'CRDT'
      const parties =
        side === 'CRDT'
          ? { senderWallet: 'alice', receiverWallet: wallet }
          : { senderWallet: wallet, receiverWallet: 'alice' }
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
      const receipt = { ...plainReceipt, ...parties, id, chain, currency, amount: signed.replace('-', '') }
      return booking({ ...plainFacts, receipt }, side)
    })
    return { ...keyed({ wallet, chain, currency }), isProven: false, opening, entries }
  }

  const pages = (accounts: AccountFacts[], size?: number) =>
    pagesOf({ ...facts, accounts }, size).map(page => camt053.build(page))
  const cards = (accounts: AccountFacts[]) => pages(accounts).flatMap(xml => cardsOf(expectSound(xml)))
  const overview = (xml: string) => rowsOf(expectSound(xml)).slice(0, 4)

  test('states for each account its asset, chain and wallet, and its exact signed sums', () => {
    const read = cards([
      accountOf(['1.123456789', '-2'], '-0.000000000000000001', { ...labels, currency: 'ETH' }),
      accountOf(['12.5'], '10'),
      accountOf(['12.5'], '0', { ...labels, chain: 'flare' }),
      accountOf(['1000000000000000000'], '0', { ...labels, currency: 'WEI' }),
    ])
    expect(read.map(({ heading }) => heading)).toEqual([
      'ETH on base · shop',
      'USDC on base · shop',
      'USDC on flare · shop',
      'WEI on base · shop',
    ])
    expect(read[0]?.rows).toEqual([
      ['Opening balance', '−0.000000000000000001 ETH'],
      ['Credits', '+1.123456789 ETH'],
      ['Debits', '−2 ETH'],
      ['Closing balance', '−0.876543211000000001 ETH'],
      ['Currency', 'XXX (no currency)'],
      ['Entries', '2'],
    ])
    expect(read.map(({ rows }) => rows[2]?.[1]).slice(1)).toEqual(['0 USDC', '0 USDC', '0 WEI'])
    expect(read.map(({ text }) => text.includes('hold them cut short'))).toEqual([true, false, false, true])
    expect(read.map(({ table }) => table.map(row => row[2]))).toEqual([
      ['1.123456789 cut in the message', '2'],
      ['12.5'],
      ['12.5'],
      ['1000000000000000000 cut in the message'],
    ])
  })

  const inUnits = (text: string) => {
    const [, sign, integer = '', fraction = ''] = /^([-−+]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    const size = BigInt(integer + fraction.padEnd(18, '0'))
    return sign === '-' || sign === '−' ? -size : size
  }
  const signedAmount = fc.tuple(fc.boolean(), anyAmount).map(([isOut, amount]) => (isOut ? `-${amount}` : amount))
  const anyAccount = fc
    .record({
      amounts: fc.array(signedAmount, { maxLength: 4 }),
      opening: signedAmount,
      labels: fc.record({ wallet: anyText, chain: anyText, currency: anyText }),
    })
    .map(({ amounts, opening, labels }) => accountOf(amounts, opening, labels))

  test.each([camt052, camt053])(
    'in $type has the exact sums and labels of its input, whatever they are',
    ({ build }) => {
      const check = (accounts: AccountFacts[]) => {
        const [page] = pagesOf({ ...facts, accounts })
        const read = cardsOf(expectSound(page === undefined ? '' : build(page)))
        expect(read).toHaveLength(accounts.length)
        accounts.forEach(({ wallet, chain, currency, opening, entries }, index) => {
          const { named, rows, table } = read[index] ?? expect.fail()
          const seen = (text: string) =>
            visiblePieces(text)
              .map(piece => piece.text)
              .join('')
          const asset = seen(currency)
          expect(named).toEqual([asset, seen(chain), seen(wallet)])
          const shown = rows.slice(0, 4).map(([, text = '']) => {
            expect(text.endsWith(` ${asset}`)).toBe(true)
            return inUnits(text.slice(0, text.length - asset.length - 1))
          })
          const signed = entries.map(({ side, facts }) => inUnits(facts.receipt.amount) * (side === 'CRDT' ? 1n : -1n))
          const total = (numbers: bigint[]) => numbers.reduce((sum, number) => sum + number, 0n)
          expect(shown).toEqual([
            inUnits(opening),
            total(signed.filter(amount => amount > 0n)),
            total(signed.filter(amount => amount < 0n)),
            inUnits(opening) + total(signed),
          ])
          const amounts = table.map(row => row[2]?.replace(/ (cut|raised) in the message$/, ''))
          // Payments that are too small for an entry come last.
          expect(amounts.toSorted()).toEqual(entries.map(({ facts }) => facts.receipt.amount).toSorted())
        })
      }
      fc.assert(fc.property(fc.array(anyAccount, { minLength: 1, maxLength: 3 }), check), { numRuns: sized(20, 100) })
    },
  )

  test('states its period, when it was built, and which of its pages this is', () => {
    const [whole = ''] = pages([accountOf(['1'])])
    expect(overview(whole).slice(0, 3)).toEqual([
      ['Period', '2026-03-01 00:00:00 UTC to just before 2026-03-02 00:00:00 UTC'],
      ['Made', '2026-03-02 00:10:00 UTC'],
      ['Statement id', facts.id],
    ])
    const parts = pages([accountOf(['1', '2', '4'], '8')], 1)
    expect(parts.map(xml => overview(xml)[2])).toEqual([
      ['Page', '1 of 3'],
      ['Page', '2 of 3'],
      ['Page', '3 of 3'],
    ])
    expect(parts.map(xml => pageOf(xml).includes('those of this page'))).toEqual([true, true, true])
    expect(pageOf(whole)).not.toContain('those of this page')
    const balances = parts.flatMap(xml => cardsOf(expectSound(xml))).map(({ rows }) => [rows[0], rows[3]])
    expect(balances).toEqual([
      [
        ['Opening balance', '8 USDC'],
        ['Closing balance, carried forward', '9 USDC'],
      ],
      [
        ['Opening balance, brought forward', '9 USDC'],
        ['Closing balance, carried forward', '11 USDC'],
      ],
      [
        ['Opening balance, brought forward', '11 USDC'],
        ['Closing balance', '15 USDC'],
      ],
    ])
    const [early = ''] = pagesOf({ ...facts, at: new Date('2026-03-01T12:00:00Z') }).map(page => camt052.build(page))
    expect(overview(early)[1]).toEqual(['Made', '2026-03-01 12:00:00 UTC, before the period ended'])
  })

  test('states that nothing was booked, and shows no card', () => {
    const [empty = ''] = pages([])
    expect(cardsOf(expectSound(empty))).toEqual([])
    expect(pageOf(empty)).toContain('No payment was booked in this period.')
  })

  test('names the receipt that a refund refunds', () => {
    const account = accountOf(['-12.5'])
    const entries = account.entries.map(entry => ({ ...entry, facts: { ...plainFacts, receipt: plainRefund } }))
    const [card] = cards([{ ...account, entries }])
    expect(card?.table[0]?.slice(5)).toEqual([
      `${plainRefund.reference} Refund of receipt ${plainReceipt.id}`,
      plainRefund.refundTxHash,
    ])
  })

  test('whose OnChainStatement has sums of other accounts shows the standard fields, and says so', () => {
    const [xml = ''] = pages([accountOf(['1.5']), accountOf(['2'], '0', { ...labels, currency: 'ETH' })])
    const page = pageOf(xml.replace(/<o:Account .*?<\/o:Account>/s, ''))
    expect(page).toContain('not those of its accounts')
    const [card] = cardsOf(nodesOf(page))
    expect(card?.heading).toBe('USDC on base · shop')
    expect(card?.rows.find(([label]) => label === 'Closing booked balance')?.[1]).toBe('1.5 USDC')
  })

  test('of 250 entries shows summary and table, and leaves the rest to the file', () => {
    const [xml = ''] = pages([accountOf(Array.from({ length: 250 }, (_, index) => `${index}.123456789`))])
    const nodes = nodesOf(pageOf(xml))
    expect(cardsOf(nodes)[0]?.table).toHaveLength(250)
    expect(pageOf(xml)).toContain('too many for a page')
    expect(elementsOf(nodes, 'dl')).toHaveLength(3)
    expect(readOnChainStatement(xml)?.accounts[0]?.entries).toBe(250)
  })
})

describe('codes', () => {
  const shown = (xml: string) =>
    rowsOf(nodesOf(pageOf(`<Document><Msg><A>${xml}</A></Msg></Document>`)))
      .map(row => row[1])
      // Drops the two rows of the footer.
      .slice(0, -2)

  test('are explained in words according to their element, and text that looks like a code is not', () => {
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

describe('labels of elements', () => {
  test('are words for the common names', () => {
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

  test('of unknown names are the names split at capitals', () => {
    expect(['FooBarXyz', 'constructor', 'X', 'PmtQQQ7'].map(labelOf)).toEqual([
      'Foo bar xyz',
      'Constructor',
      'X',
      'Payment QQQ 7',
    ])
  })

  const folder = new URL('../../', import.meta.url)
  const schemas = new URL(`${process.env.ISO20022_XSD_DIR ?? '../shared/xsd'}/`, folder)
  test.skipIf(!existsSync(schemas))('expand every abbreviation of the schemas', () => {
    const texts = readdirSync(schemas)
      .filter(name => name.endsWith('.xsd'))
      .map(name => readFileSync(new URL(name, schemas), 'utf8'))
    const names = new Set(
      texts.flatMap(text => [...text.matchAll(/<xs:element[^>]* name="(\w+)"/g)].map(match => match[1] ?? '')),
    )
    expect(names.size).toBeGreaterThan(500)
    // Abbreviations drop vowels, so a word without vowels is an abbreviation that was not expanded.
    const missed = [...names].filter(name =>
      labelOf(name)
        .split(' ')
        .some(word => /^[^aeiouy()A-Z\d]+$/i.test(word)),
    )
    expect(missed).toEqual([])
  })
})

test('the receipt page and the README state the same about what is proven', () => {
  const words = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').replace(/\s+/g, ' ')
  for (const path of ['src/web/receipt.html', 'README.md']) expect(words(path)).toContain(whatIsProven)
})
