// The reader returns exact values from every message, and nothing from any other document.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxXmlBytes, maxXmlDepth, readXml } from '../../src/modules/iso20022/read-xml.ts'
import { readOnChainPayments, readOnChainStatement } from '../../src/modules/iso20022/reader.ts'
import { onChainPaymentNamespace } from '../../src/modules/iso20022/supplementary.ts'
import { anyText } from '../kit/receipts.ts'

const hash = `0x${'5e'.repeat(32)}`
const parts = {
  ReceiptId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  Reference: 'order-1',
  Chain: 'base',
  TxHash: '0xab',
  Amount: '12.5',
  Asset: 'USDC',
  Payer: 'alice',
  Payee: 'bob',
  ResourceHash: hash,
  RecordedAt: '2026-03-01T12:34:56.789Z',
}
const element = (name: string, text: string) =>
  `<o:${name}${name === 'Amount' ? ' inBand="exact"' : ''}>${text}</o:${name}>`
const anchor = `<o:Anchor><o:Chain>flare</o:Chain><o:TxHash>0xcd</o:TxHash><o:BlockNumber>7</o:BlockNumber><o:AnchoredAt>2026-03-01T12:35:10.000Z</o:AnchoredAt><o:BundleHash>${hash}</o:BundleHash></o:Anchor>`
const inner = Object.entries(parts)
  .map(([name, text]) => element(name, text))
  .join('\n')
const wrapped = (content: string) =>
  `<Document xmlns="urn:x"><A><o:OnChainPayment xmlns:o="${onChainPaymentNamespace}">${content}</o:OnChainPayment></A></Document>`
const plain = wrapped(inner + anchor)

describe('the payload', () => {
  test('is found at any depth, in document order, and in its own namespace only', () => {
    expect(readOnChainPayments('<Document xmlns="urn:x"/>')).toEqual([])
    expect(readOnChainPayments(plain.replaceAll(onChainPaymentNamespace, 'urn:other'))).toEqual([])
    const second = plain.replace('order-1', 'order-2')
    const both = readOnChainPayments(`<S>${plain}<T>${second}</T></S>`)
    expect(both.map(payment => payment.reference)).toEqual(['order-1', 'order-2'])
    const bare = `<OnChainPayment xmlns="${onChainPaymentNamespace}">${inner.replaceAll('o:', '')}</OnChainPayment>`
    expect(readOnChainPayments(bare)).toHaveLength(1)
  })

  test('may name the refunded receipt after the resource hash', () => {
    const refund = element('RefundOf', parts.ReceiptId)
    const refunded = element('RefundedTxHash', '0x02')
    const beforeTime = (elements: string) => wrapped(inner.replace('<o:RecordedAt>', `${elements}<o:RecordedAt>`))
    const [settled] = readOnChainPayments(beforeTime(refund + refunded))
    expect(settled).toMatchObject({ refundOf: { receiptId: parts.ReceiptId, txHash: '0x02' }, txHash: parts.TxHash })
    // Older messages of refunds could not name their own transaction.
    const [announced] = readOnChainPayments(beforeTime(refund))
    expect(announced).toMatchObject({ refundOf: { receiptId: parts.ReceiptId, txHash: parts.TxHash }, txHash: null })
    expect(() => readOnChainPayments(beforeTime(refunded))).toThrow(/RefundOf: is missing/)
    expect(() => readOnChainPayments(wrapped(refund + inner))).toThrow(/ReceiptId/)
  })

  test('keeps white space, CDATA, character references and the text on both sides of a comment', () => {
    const read = (text: string) => readOnChainPayments(plain.replace('order-1', text))[0]?.reference
    expect(read(' \t\n a&#13;&#10;b  ')).toBe(' \t\n a\r\nb  ')
    expect(read('<![CDATA[<&]]>&lt;&amp;<!-- x -->&#x1F600;')).toBe('<&<&😀')
    expect(read('')).toBe('')
  })

  test.each([
    ['a missing element', element('Payer', 'alice'), '', 'Payer: is missing'],
    ['an unknown element', '<o:Payer>', '<o:Payr>x</o:Payr><o:Payer>', 'Payr'],
    ['an element of another namespace', element('Payer', 'alice'), '<Payer>alice</Payer>', 'Payer'],
    ['an element twice', '<o:RecordedAt>', `${element('ResourceHash', hash)}<o:RecordedAt>`, 'ResourceHash'],
    ['an element inside a text', 'order-1', '<o:b/>', 'Reference'],
    ['text between elements', '<o:Asset>', 'x<o:Asset>', 'OnChainPayment'],
    ['an unknown attribute', '<o:Payee>', '<o:Payee x="1">', 'Payee'],
    ['an attribute on itself', '<o:OnChainPayment ', '<o:OnChainPayment x="1" ', 'OnChainPayment'],
    ['an upper-case id', parts.ReceiptId, parts.ReceiptId.toUpperCase(), 'ReceiptId'],
    ['an upper-case hash', hash, hash.replaceAll('e', 'E'), 'ResourceHash'],
    ['a day that does not exist', '2026-03-01T12:34', '2026-02-30T12:34', 'RecordedAt'],
    ['a time without milliseconds', '.789Z', 'Z', 'RecordedAt'],
    ['an exponent', '>12.5<', '>1e5<', 'Amount'],
    ['21 integer digits', '>12.5<', `>${'9'.repeat(21)}<`, 'Amount'],
    ['no word on the amount in band', ' inBand="exact"', '', 'Amount'],
    ['a wrong word on it', '"exact"', '"perhaps"', 'Amount'],
    ['an unknown encoding', '<o:Chain>base', '<o:Chain enc="hex">base', 'Chain'],
    ['JSON that is no string', '<o:Asset>USDC', '<o:Asset enc="json">{"a":"b"}', 'Asset'],
    ['broken JSON', '<o:Asset>USDC', '<o:Asset enc="json">"\\x"', 'Asset'],
    ['a negative block', '>7<', '>-1<', 'BlockNumber'],
    ['an anchor without its bundle', element('BundleHash', hash), '', 'Anchor/BundleHash'],
    ['an empty anchor', anchor, '<o:Anchor/>', 'Anchor'],
  ])('is refused with %s, and the error names the element', (_, found, instead, where) => {
    expect(plain).toContain(found)
    expect(() => readOnChainPayments(plain.replace(found, instead))).toThrow(where)
  })
})

describe('the sums of a statement', () => {
  const leaf = (name: string, text: string) => `<o:${name}>${text}</o:${name}>`
  const account = (asset: string, flag: string) =>
    `<o:Account inBand="${flag}">${leaf('Wallet', 'shop')}${leaf('Chain', 'base')}${leaf('Asset', asset)}${leaf('Opening', '-0.000000000000000001')}${leaf('Credits', '12')}${leaf('Debits', '0')}${leaf('Closing', '11.999999999999999999')}${leaf('Entries', '3')}</o:Account>`
  const head = `${leaf('StatementId', parts.ReceiptId)}${leaf('From', '2026-03-01T00:00:00.000Z')}${leaf('To', '2026-03-02T00:00:00.000Z')}${leaf('Page', '2')}\n${leaf('Pages', '3')}`
  const payload = (content: string) =>
    `<o:OnChainStatement xmlns:o="${onChainPaymentNamespace}">${content}</o:OnChainStatement>`
  const document = (content: string) =>
    `<Document xmlns="urn:x"><A><SplmtryData><Envlp>${content}</Envlp></SplmtryData></A></Document>`
  const whole = document(payload(head + account('USDC', 'exact') + account('ETH', 'truncated')))

  test('are read with their period, page and accounts, from text or tree', () => {
    const first = {
      wallet: 'shop',
      chain: 'base',
      asset: 'USDC',
      opening: '-0.000000000000000001',
      credits: '12',
      debits: '0',
      closing: '11.999999999999999999',
      entries: 3,
      inBand: 'exact',
    }
    expect(readOnChainStatement(whole)).toEqual({
      statementId: parts.ReceiptId,
      from: new Date('2026-03-01T00:00:00Z'),
      to: new Date('2026-03-02T00:00:00Z'),
      page: 2,
      pages: 3,
      accounts: [first, { ...first, asset: 'ETH', inBand: 'truncated' }],
    })
    expect(readOnChainStatement(readXml(whole))).toEqual(readOnChainStatement(whole))
    expect(readOnChainStatement(document(payload(head)))?.accounts).toEqual([])
  })

  test('are null where there are none', () => {
    expect(readOnChainStatement(plain)).toBeNull()
    expect(readOnChainStatement(whole.replaceAll(onChainPaymentNamespace, 'urn:other'))).toBeNull()
  })

  test('may be of any text and any size', () => {
    const long = '9'.repeat(60)
    const read = readOnChainStatement(
      whole.replace('>shop<', ' enc="json">"\\u0000 a"<').replace('>12<', `>${long}.000000000000000001<`),
    )
    expect(read?.accounts[0]).toMatchObject({ wallet: '\0 a', credits: `${long}.000000000000000001` })
  })

  test.each([
    ['a missing element', leaf('Pages', '3'), '', 'OnChainStatement/Pages: is missing'],
    ['an upper-case id', parts.ReceiptId, parts.ReceiptId.toUpperCase(), 'StatementId'],
    ['a time without milliseconds', '02T00:00:00.000Z', '02T00:00:00Z', 'To'],
    ['page 0', '>2<', '>0<', 'Page'],
    ['a page that is no number', '>2<', '>two<', 'Page'],
    ['an unknown element', '<o:Page>', '<o:Pge>1</o:Pge><o:Page>', 'Pge'],
    ['an unknown attribute', '<o:OnChainStatement ', '<o:OnChainStatement x="1" ', 'OnChainStatement'],
    ['text between elements', '<o:Page>', 'x<o:Page>', 'OnChainStatement'],
    ['an element after its accounts', '</o:OnChainStatement>', '<o:Page>1</o:Page></o:OnChainStatement>', 'Page'],
    ['an account of another namespace', '<o:Account inBand="exact">', '<Account inBand="exact">', 'Account'],
    ['an account without its asset', leaf('Asset', 'ETH'), '', 'Account 2/Asset: is missing'],
    [
      'an account with an element twice',
      '<o:Entries>',
      '<o:Credits>1</o:Credits><o:Entries>',
      'Account 1: has Credits',
    ],
    ['an account with an unknown attribute', '"exact"', '"exact" x="1"', 'Account 1'],
    ['an account without a word on the sums in band', ' inBand="exact"', '', 'Account 1/inBand'],
    ['a wrong word on them', '"exact"', '"perhaps"', 'Account 1/inBand'],
    ['text inside an account', '<o:Opening>', 'x<o:Opening>', 'Account 1'],
    ['a negative sum of credits', '>12<', '>-12<', 'Account 1/Credits'],
    ['19 fraction digits', '>12<', '>1.0000000000000000001<', 'Account 1/Credits'],
    ['a signed plus', '>-0.0', '>+0.0', 'Account 1/Opening'],
    ['an exponent', '>12<', '>1e5<', 'Account 1/Credits'],
    ['entries that are no count', '>3</o:Entries>', '>3.5</o:Entries>', 'Account 1/Entries'],
    ['another of them', '</Envlp>', `${payload(head)}</Envlp>`, 'twice'],
  ])('are refused with %s, and the error names the element', (_, found, instead, where) => {
    const xml = found === '<o:Account inBand="exact">' ? whole.replace('</o:Account>', '</Account>') : whole
    expect(xml).toContain(found)
    expect(() => readOnChainStatement(xml.replace(found, instead))).toThrow(where)
  })
})

describe('XML', () => {
  test('becomes a tree of local names, namespaces, attributes and text', () => {
    expect(
      readXml('<?xml version="1.0"?>\n<p:a xmlns:p="urn:p" b="1&#10;2"> x<c xmlns="urn:c" p:d="e"/>y</p:a>'),
    ).toEqual({
      name: 'a',
      namespace: 'urn:p',
      attributes: { b: '1\n2' },
      children: [{ name: 'c', namespace: 'urn:c', attributes: { 'p:d': 'e' }, children: [], text: '' }],
      text: ' xy',
    })
  })

  test('with names of Object.prototype is a tree like any other', () => {
    const node = readXml('<constructor __proto__="a"><toString/></constructor>')
    expect(Object.entries(node.attributes)).toEqual([['__proto__', 'a']])
    expect(node.children[0]?.name).toBe('toString')
  })

  test.each([
    ['a document type', '<!DOCTYPE a><a/>', 'document type'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', 'document type'],
    ['an entity bomb', `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(99)}"><!ENTITY z "&x;&x;">]><a>&z;</a>`, 'document type'],
    ['an entity of its own', '<a>&x;</a>', '1:6: undefined entity'],
    ['a reference to a character XML has not', '<a>&#0;</a>', 'not well-formed'],
    ['an open element', '<a><b></a>', 'not well-formed'],
    ['two roots', '<a/><a/>', 'not well-formed'],
    ['text outside', '<a/>x', 'not well-formed'],
    ['an unbound prefix', '<p:a/>', 'not well-formed'],
    ['an attribute twice', '<a b="1" b="2"/>', 'not well-formed'],
    ['a raw control character', '<a>\u0001</a>', 'not well-formed'],
    ['half a surrogate pair before a tag', '<a>\ud800<b/></a>', 'surrogate'],
    ['nothing in it', '', 'not well-formed'],
    ['what is not XML', '{"a": 1}', 'not well-formed'],
    ['elements too deep', '<a>'.repeat(maxXmlDepth + 1), 'deeper than 64'],
    ['too many bytes', `<a>${'é'.repeat(maxXmlBytes / 2)}</a>`, 'larger than'],
    ['too many elements', `<a>${'<b/>'.repeat(1_000_000)}</a>`, 'more than 1000000'],
  ])('with %s is refused with a message in words', (_, xml, words) => {
    expect(() => readXml(xml)).toThrow(words)
  })

  test('of any text is read or refused with an XML error, and never fails otherwise', () => {
    const pieces = fc.array(fc.oneof(anyText, fc.constantFrom('<a>', '</a>', '<a b="', '"/>', '<?', '<!', '&', ';')))
    const check = (xml: string) => {
      try {
        expect(readXml(xml).name).not.toBe('')
      } catch (error) {
        expect(error).toHaveProperty('message', expect.stringMatching(/^The XML /))
      }
    }
    fc.assert(
      fc.property(
        pieces.map(list => list.join('')),
        check,
      ),
      { numRuns: 500 },
    )
  })
})
