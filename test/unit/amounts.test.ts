// Amounts in messages: the minor units of mapped currencies, no exponent, no zero for what is not zero, and balances to
// which the entries add up.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minorUnitOf } from '../../src/core/iso-text.ts'
import type { Facts } from '../../src/modules/iso20022/facts.ts'
import { camt053 } from '../../src/modules/iso20022/messages/camt053.ts'
import { messages } from '../../src/modules/iso20022/messages/registry.ts'
import { pagesOf } from '../../src/modules/iso20022/messages/statement.ts'
import { readXml, textAt, type XmlNode } from '../../src/modules/iso20022/read-xml.ts'
import { readOnChainPayments, readOnChainStatement } from '../../src/modules/iso20022/reader.ts'
import { anyFactsOf } from '../kit/facts.ts'
import { accountOf, allMessages } from '../kit/messages.ts'
import { acceptedText, anyAmount, booking, configured, plainFacts, plainReceipt, unnumbered } from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'

test('minor units are those of ISO 4217', () => {
  const units = ['JPY', 'KRW', 'UGX', 'ISK', 'EUR', 'USD', 'HUF', 'IDR', 'BHD', 'KWD', 'CLF', 'UYW', 'XAU', 'XDR']
  expect(units.map(minorUnitOf)).toEqual([0, 0, 0, 0, 2, 2, 2, 2, 3, 3, 4, 4, null, null])
  // The Unicode tables agree where they follow ISO 4217.
  for (const code of ['CHF', 'XOF', 'TND', 'VND', 'GBP', 'PYG', 'JOD']) {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency: code,
    }).resolvedOptions()
    expect([code, minorUnitOf(code)]).toEqual([code, maximumFractionDigits])
  }
})

/** Every standard element with an amount: its text and its currency. */
function amountsIn(node: XmlNode): { name: string; text: string; currency: string }[] {
  if (node.name === 'SplmtryData') return []
  const currency = node.attributes.Ccy
  const own = currency === undefined ? [] : [{ name: node.name, text: node.text, currency }]
  return [...own, ...node.children.flatMap(amountsIn)]
}

const numbers = ['CtrlSum', 'OrgnlCtrlSum', 'Sum', 'Unit', 'XchgRate', 'NbOfTxs', 'NbOfNtries']
const numbersIn = (node: XmlNode): string[] =>
  node.name === 'SplmtryData'
    ? []
    : [...(numbers.includes(node.name) ? [node.text] : []), ...node.children.flatMap(numbersIn)]

const priced = (amount: string, currency: string | null): Facts => ({
  ...plainFacts,
  receipt: { ...plainReceipt, amount },
  organisation: configured(currency === null ? {} : { mapping: { assets: [{ label: 'USDC', currency }] } }),
})

describe.each(messages.filter(({ type }) => type !== 'pacs.004'))('$version', ({ build }) => {
  test.each([
    ['12.5', 'JPY', '12 JPY truncated'],
    ['12', 'JPY', '12 JPY exact'],
    ['0.5', 'JPY', '0.5 XXX exact'],
    ['12.345', 'USD', '12.34 USD truncated'],
    ['0.001', 'USD', '0.001 XXX exact'],
    ['0.000001', 'USD', '0.00001 XXX raised'],
    ['1.2345', 'BHD', '1.234 BHD truncated'],
    ['1.234567', 'XAU', '1.23456 XAU truncated'],
    ['0.000000000000000001', null, '0.00001 XXX raised'],
    ['99999999999999999999', null, `${'9'.repeat(18)} XXX truncated`],
  ])('shows %s %s as %s in every element', (amount, currency, expected) => {
    const xml = build(priced(amount, currency))
    const inBand = readOnChainPayments(xml)[0]?.amountInBand
    const shown = amountsIn(readXml(xml)).map(found => `${found.text} ${found.currency} ${inBand}`)
    expect(new Set(shown)).toEqual(new Set([expected]))
    expect(readOnChainPayments(xml)[0]?.amount).toBe(amount)
  })
})

test('no reader finds an exponent, a sign, too many digits or a zero in a payment', () => {
  const strict = /^(0|[1-9]\d{0,17})(\.\d{1,17})?$/
  const check = (facts: Facts) => {
    for (const { type, build } of allMessages) {
      const root = readXml(build(facts))
      for (const { name, text, currency } of amountsIn(root)) {
        expect([type, name, text, strict.test(text) && text.replace('.', '').length <= 18]).toEqual([
          type,
          name,
          text,
          true,
        ])
        expect((text.split('.')[1] ?? '').length).toBeLessThanOrEqual(
          currency === 'XXX' ? 5 : (minorUnitOf(currency) ?? 5),
        )
        // The opening balance of the statement is 0; all else is of a payment above 0.
        if (!/^camt.05[23]$/.test(type)) expect([type, name, /[1-9]/.test(text)]).toEqual([type, name, true])
      }
      for (const text of numbersIn(root)) expect([type, text, strict.test(text)]).toEqual([type, text, true])
    }
  }
  fc.assert(fc.property(anyFactsOf(acceptedText), check), { numRuns: sized(30, 500) })
})

const units = (text: string, sign: string | null): bigint => {
  const [integer = '', fraction = ''] = text.split('.')
  return BigInt(integer + fraction.padEnd(5, '0')) * (sign === 'DBIT' ? -1n : 1n)
}
const signedAmount = (node: XmlNode) => units(textAt(node, 'Amt') ?? '', textAt(node, 'CdtDbtInd'))
const exactUnits = (text: string): bigint => {
  const [integer = '', fraction = ''] = text.replace('-', '').split('.')
  return BigInt(integer + fraction.padEnd(18, '0')) * (text.startsWith('-') ? -1n : 1n)
}

/** Returns the account of a camt.053 over these signed amounts. */
function statementOf(opening: string, amounts: readonly string[], currency: string | null, size = 500) {
  const { organisation } = priced('1', currency)
  const entries = amounts.map((amount, index) => {
    const id = `7c9e6679-7425-40de-944b-${index.toString(16).padStart(12, '0')}`
    const receipt = { ...plainReceipt, id, amount: amount.replace('-', '') }
    return booking({ ...plainFacts, organisation, receipt }, amount.startsWith('-') ? 'DBIT' : 'CRDT')
  })
  const { receiverWallet: wallet, chain, currency: label } = plainReceipt
  const account = { ...accountOf({ wallet, chain, currency: label }), isProven: false, opening, entries }
  const id = '0b8f6f5e-1d1c-4c7b-9a55-2f2b8f0f9a01'
  const day = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-02T00:00:00Z') }
  const at = new Date('2026-03-02T00:10:00Z')
  return pagesOf({ ...unnumbered, id, at, ...day, organisation, accounts: [account] }, size).map(page => {
    const xml = camt053.build(page)
    const [body] = readXml(xml).children
    const statement = body?.children.find(({ name }) => name === 'Stmt')
    if (statement === undefined) throw new Error('a statement has an account')
    const [opens, closes] = statement.children.filter(({ name }) => name === 'Bal')
    return {
      xml,
      entries: statement.children.filter(({ name }) => name === 'Ntry'),
      opening: opens ? signedAmount(opens) : 0n,
      closing: closes ? signedAmount(closes) : 0n,
      sums: readOnChainStatement(xml)?.accounts[0],
      payments: readOnChainPayments(xml),
      hasSummary: statement.children.some(({ name }) => name === 'TxsSummry'),
    }
  })
}

const remainderOf = (entries: readonly XmlNode[]) =>
  entries.filter(entry => textAt(entry, 'BkTxCd', 'Prtry', 'Cd') === 'ONCHAIN-REMAINDER')

test('a thousand payments of a tenth of a cent are one dollar, in one entry that lists them all', () => {
  const [page] = statementOf(
    '0',
    Array.from({ length: 1000 }, () => '0.001'),
    'USD',
    1000,
  )
  expect([page?.closing, page?.entries.length, page?.payments.length]).toEqual([100_000n, 1, 1000])
  expect(page?.entries.map(signedAmount)).toEqual([100_000n])
  expect(textAt(page?.entries[0] ?? readXml('<a/>'), 'AddtlNtryInf')).toMatch(/^Remainder .*1000 payments too small/)
  expect(page?.sums).toMatchObject({ closing: '1', credits: '1', entries: 1000, inBand: 'exact' })
})

test.each<[string, string, string[], string | null, (string | bigint)[]]>([
  ['one that is too small alone has an entry', '0', ['0.000001'], null, [0n, 1n]],
  ['and a second is no further movement', '0.000001', ['0.000001'], null, [1n, 1n]],
  ['cuts do not add up', '0', ['0.000009', '0.000009', '1.000009'], null, [0n, 100_002n]],
  ['whole amounts have no remainder', '1', ['2', '-0.5'], null, [100_000n, 250_000n]],
  ['a balance below zero is cut toward zero too', '0', ['-1.999999'], 'JPY', [0n, -100_000n]],
])('%s', (_, opening, amounts, currency, expected) => {
  const [page] = statementOf(opening, amounts, currency)
  expect([page?.opening, page?.closing]).toEqual(expected)
  expect(page?.payments).toHaveLength(amounts.length)
})

test('entries add up to balances, balances chain, and are the exact ones cut, whatever the amounts', () => {
  const signed = fc.tuple(anyAmount, fc.boolean()).map(([amount, isDebit]) => (isDebit ? `-${amount}` : amount))
  const days = fc.array(fc.array(signed, { maxLength: 6 }), { minLength: 1, maxLength: 4 })
  const currencies = fc.constantFrom(null, 'USD', 'JPY', 'BHD')
  fc.assert(
    fc.property(days, currencies, fc.integer({ min: 1, max: 4 }), (amounts, currency, size) => {
      let [exact, shown] = ['0', 0n]
      for (const day of amounts) {
        const pages = statementOf(exact, day, currency, size)
        // With fewer digits an account opens with fewer than the day before closed with, and says so.
        const [first] = pages
        if (first?.xml.includes('exceed 18 digits')) shown = first.opening
        for (const { entries, opening, closing, sums, hasSummary } of pages) {
          if (hasSummary) expect(closing - opening).toBe(entries.reduce((sum, entry) => sum + signedAmount(entry), 0n))
          expect(opening).toBe(shown)
          expect(entries.map(entry => textAt(entry, 'Amt')).filter(text => !/[1-9]/.test(text ?? ''))).toEqual([])
          expect(remainderOf(entries).length).toBeLessThanOrEqual(1)
          for (const [balance, whole] of [
            [opening, sums?.opening],
            [closing, sums?.closing],
          ] as const) {
            const [size, all] = [balance < 0n ? -balance : balance, exactUnits((whole ?? '0').replace('-', ''))]
            expect(balance === 0n).toBe(all === 0n)
            expect(balance < 0n).toBe((whole ?? '').startsWith('-') && all !== 0n)
            // The smallest amount, with fewer digits where the sums are large, may be more than the whole.
            if (!/^10*$/.test(String(size))) expect(size * 10n ** 13n <= all).toBe(true)
          }
          shown = closing
        }
        expect(pages.flatMap(({ payments }) => payments)).toHaveLength(day.length)
        exact = pages.at(-1)?.sums?.closing ?? exact
        const [next] = statementOf(exact, [], currency)
        shown = next?.opening ?? 0n
      }
    }),
    { numRuns: sized(100, 2_000) },
  )
})
