// The auditor of generated lives finds each kind of fault: without this, its silence would prove nothing.
import { expect, test } from 'vitest'
import {
  bookFaults,
  booksOf,
  decimalFaults,
  type Listed,
  nameFaults,
  omittedNames,
  paymentFaults,
  seriesFaults,
} from '../kit/lives/audit.ts'
import type { Message, Payment, Statement } from '../kit/lives/read.ts'
import { dictionary, families, walletHandle } from '../kit/lives/spellings.ts'
import type { Truth } from '../kit/lives/tell.ts'

const words = dictionary()
const { chain } = families.base
const shop = { meaning: `0x${'a1'.repeat(20)}`, spellings: [`0x${'A1'.repeat(20)}`] }
const customer = { meaning: `0x${'b2'.repeat(20)}`, spellings: [`0x${'B2'.repeat(20)}`] }
const [payee, payer] = [words.write(shop, 0), words.write(customer, 0)]
const base = words.write(chain, 1)

const payment = (receipt: string, amount: string): Payment => ({
  receipt,
  chain: base,
  transaction: `0x${receipt.repeat(64)}#3`,
  payer,
  payee,
  asset: 'USDC',
  amount,
  refundOf: null,
})
const truth = (receipt: string, amount: string): Truth => ({
  project: 0,
  configuration: 0,
  chain: chain.meaning,
  transaction: `0x${receipt.repeat(64)}#3`,
  sender: customer.meaning,
  receiver: shop.meaning,
  currency: 'USDC',
  amount,
  refundOf: null,
  isSettled: true,
  isLate: false,
  isReturn: false,
})
const entry = (receipt: string, amount: string, day: string): Statement['entries'][number] => ({
  side: 'CRDT',
  amount,
  status: 'BOOK',
  bookedOn: day,
  servicerReference: null,
  payments: [payment(receipt, amount)],
  isRemainder: false,
})

const statement = (number: number, opening: string, closing: string, entries: Statement['entries']): Statement => {
  const day = `2026-03-0${number}`
  return {
    root: 'BkToCstmrStmt',
    account: 'A-1',
    wallet: payee,
    currency: 'XXX',
    numbers: [String(number), String(number)],
    copy: null,
    from: `${day}T00:00:00.000Z`,
    to: `${day}T23:59:59.999Z`,
    page: '1',
    isLast: true,
    opening: { code: 'OPBD', amount: opening, on: day },
    closing: { code: 'CLBD', amount: closing, on: day },
    count: entries.length,
    entries,
    named: [],
    exact: { opening, closing, isInBand: true },
  }
}

const first = statement(1, '0', '2', [entry('1', '2', '2026-03-01')])
const second = statement(2, '2', '7', [entry('2', '4', '2026-03-02'), entry('3', '1', '2026-03-02')])
const third = statement(3, '7', '7', [])

test('finds nothing in a series that is right', () => {
  expect(seriesFaults([third, first, second], words)).toEqual([])
})

const spoiled: [string, Statement[], RegExp][] = [
  ['a statement that is missing', [first, third], /number 3 follows a gap/],
  ['a number that is given twice', [first, { ...second, numbers: ['1', '1'] }], /pages are not one statement/],
  ['two kinds of numbers', [{ ...first, numbers: ['1', null] }], /numbers 1 and/],
  [
    'an opening balance of its own',
    [first, { ...second, opening: { ...second.opening, amount: '3' } }],
    /opens with another/,
  ],
  [
    'an exact balance of its own',
    [first, { ...second, exact: { ...second.exact, opening: '2.000001' } }],
    /opens with another/,
  ],
  ['a balance that does not add up', [{ ...first, closing: { ...first.closing, amount: '3' } }], /does not add up/],
  ['a wrong code', [{ ...first, closing: { ...first.closing, code: 'ITBD' } }], /closes with ITBD/],
  ['a wrong count', [{ ...first, count: 2 }], /counts 2 of 1/],
  ['days that overlap', [first, { ...second, from: first.to }], /begins before the last one ended/],
  [
    'an entry of another day',
    [first, { ...second, entries: second.entries.map(own => ({ ...own, bookedOn: '2026-03-01' })) }],
    /books an entry on/,
  ],
  ['an entry that is pending', [{ ...first, entries: first.entries.map(own => ({ ...own, status: 'PDNG' })) }], /PDNG/],
  [
    'a movement that is there twice',
    [first, { ...second, entries: [entry('1', '4', '2026-03-02'), entry('3', '1', '2026-03-02')] }],
    /is there 2 times/,
  ],
  ['an original that says it is a copy', [{ ...first, copy: 'COPY' }], /says that it is a copy/],
]
test.each(spoiled)('finds %s', (_, pages, fault) => {
  expect(seriesFaults(pages, words).join('\n')).toMatch(fault)
})

test('finds what is not stated, is stated wrong, or is not in the books', () => {
  const books = booksOf(['1', '2', '3'].map((receipt, at) => ({ ...truth(receipt, ['2', '4', '1'][at] ?? ''), at })))
  expect(bookFaults([first, second], books, words)).toEqual([])
  expect(bookFaults([first], books, words).join()).toMatch(/is not stated/)
  expect(
    bookFaults(
      [first, { ...second, entries: [...second.entries, entry('4', '1', '2026-03-02')] }],
      books,
      words,
    ).join(),
  ).toMatch(/not in the books/)
  const other = second.entries.map(own => ({ ...own, payments: own.payments.map(paid => ({ ...paid, amount: '9' })) }))
  expect(bookFaults([first, { ...second, entries: other }], books, words).join()).toMatch(/is stated as/)
})

const message = (part: Partial<Message>): Message => ({
  names: [],
  named: [],
  payments: [],
  statements: [],
  decimals: [],
  ...part,
})

test('finds a name at a wallet that is not listed for it, and a name beside no wallet', () => {
  const shopName: Listed = { name: 'Shop', project: 0, configuration: 0, wallets: new Set([shop.meaning]) }
  const listed = new Map([['Shop', shopName]])
  const faults = (name: string, wallet: string) =>
    nameFaults(message({ names: [name], named: [{ name, wallet, role: 'Cdtr' }] }), listed, words)
  expect([faults('Shop', walletHandle(payee)), faults(payer, walletHandle(payer))]).toEqual([[], []])
  expect(faults('Shop', walletHandle(payer))).toEqual([expect.stringMatching('is called Shop')])
  expect(faults('Somebody', walletHandle(payer))).toEqual([expect.stringMatching('is called Somebody')])
  expect(nameFaults(message({ names: ['Shop'] }), listed, words)).toEqual(['1 names stand beside no wallet'])
  const about = (name: string) =>
    message({ named: [{ name, wallet: payee, role: 'Cdtr' }], payments: [payment('1', '2')] })
  const omitted = (name: string) => omittedNames(about(name), listed, new Map([['1', truth('1', '2')]]), words)
  expect([omitted('Shop'), omitted(payee)]).toEqual([[], [expect.stringMatching('not Shop')]])
})

test('finds a payment that says other than what was recorded', () => {
  const truths = new Map([['1', truth('1', '2')]])
  const faults = (part: Partial<Payment>) =>
    paymentFaults(message({ payments: [{ ...payment('1', '2'), ...part }] }), truths, words)
  expect(faults({})).toEqual([])
  const wrong: Partial<Payment>[] = [
    { amount: '2.1' },
    { payer: payee },
    { payee: payer },
    { chain: 'ethereum' },
    { transaction: `0x${'1'.repeat(64)}` },
    { refundOf: '2' },
  ]
  for (const part of wrong) expect(faults(part), Object.keys(part).join()).toHaveLength('chain' in part ? 2 : 1)
})

test('finds decimals that strict readers refuse', () => {
  const plain = ['0', '12', '0.5', '99999999999999999.1', '0.00001']
  expect(decimalFaults(message({ decimals: plain }))).toEqual([])
  const wrong = ['1e-7', '1E5', '+1', '-1', '.5', '5.', '01', '1.50', '1,5', ' 1', '']
  expect(decimalFaults(message({ decimals: wrong }))).toHaveLength(wrong.length)
})
