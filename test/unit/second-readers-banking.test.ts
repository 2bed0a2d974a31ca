// hbci4j, with which Hibiscus reads accounts in Germany, and genkgo/camt, with which PHP applications do, read our
// messages, where Java and PHP are available. Where a reader has a defect of its own, the test names it.
import { describe, expect, test } from 'vitest'
import { sentenceOf } from '../../src/core/what-is-proven.ts'
import { readerOf } from '../kit/readers/reader.ts'
import { genkgo, hbci4j } from '../kit/readers/readers.ts'
import { accountIds, customer, shop } from '../kit/readers/samples.ts'
import { plainReceipt } from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'

const count = sized(5, 200)
const [java, php] = await Promise.all([readerOf('hbci4j', hbci4j, count), readerOf('genkgo/camt', genkgo, count)])

const payment = `12.5 USDC ON base TX ${plainReceipt.tipTxHash}. ${sentenceOf(null)}`

describe.skipIf(java.isMissing)('hbci4j', () => {
  const read = (message: string) => java.of(message).read
  const balance = (value: string) => ({ value, day: '2026-03-01' })

  test('reads balances, signed amounts, both dates, references and counterparties of camt.052, in cents', () => {
    expect(read('camt.052 of one account')).toMatchObject([
      {
        currency: 'XXX',
        start: balance('-3'),
        // The reader's defect: it rounds to two decimals, whatever the currency.
        end: balance('-2.88'),
        lines: [
          {
            amount: '12.5',
            balance: '9.5',
            booked: '2026-03-01',
            valued: '2026-03-01',
            endToEndId: plainReceipt.reference,
            other: customer,
            usage: [plainReceipt.reference],
            text: payment,
          },
          { amount: '0.12', balance: '9.62', endToEndId: 'order 124', other: customer },
          // The reader expects the roles of the returned payment in a return, and so names the account's own holder.
          { amount: '-12.5', valued: '2026-03-02', other: shop, usage: [`refund:${plainReceipt.id}`] },
          // The remainder of the cut amounts, 0.00001.
          { amount: '0', balance: '-2.88', other: null },
        ],
      },
    ])
  })

  test('keeps the reports of a file apart, but names no account, because it reads accounts by IBAN only', () => {
    expect(read('camt.052')).toMatchObject(accountIds.map(() => ({ iban: null })))
    expect(read('camt.052 page 2')).toMatchObject([{ start: balance('9.62'), end: balance('-2.88') }])
    expect(read('camt.052 empty')).toMatchObject([{ start: balance('0'), end: balance('0'), lines: [] }])
  })

  test('reads pain.001, but no pain.008 without the creditor identifier of SEPA', () => {
    expect(read('pain.001')).toMatchObject([
      { 'dst.name': shop, 'src.name': customer, endtoendid: plainReceipt.reference, value: '12.5', curr: 'XXX' },
    ])
    expect(java.of('pain.008').error).toMatch('getCdtrSchmeId()" is null')
  })

  test('reads any report whose amounts in cents fit 64 bits', () => {
    const itsLimits = /^(camt.05[34] unread|camt.052 java.lang.ArithmeticException: Overflow)$/
    expect(java.failures.filter(failure => !itsLimits.test(failure))).toEqual([])
  })
})

describe.skipIf(php.isMissing)('genkgo/camt', () => {
  const read = (message: string) => php.of(message).read
  const balance = (type: string, amount: string) => ({ type, amount, day: '2026-03-01' })

  test('reads a mapped account: balances, signed amounts, both dates, references, parties', () => {
    const parties = [
      { as: 'Creditor', name: shop, account: accountIds[0] },
      { as: 'Debtor', name: customer },
    ]
    const [opens, closes] = [
      { 'camt.053': 'opening', 'camt.052': 'interim' },
      { 'camt.053': 'closing', 'camt.052': 'interim' },
    ]
    for (const type of ['camt.053', 'camt.052'] as const) {
      expect(read(`${type} in dollars`)).toMatchObject([
        {
          account: accountIds[0],
          balances: [balance(opens[type], '-3.00'), balance(closes[type], '-2.87')],
          entries: [
            {
              amount: '12.50',
              currency: 'USD',
              status: 'BOOK',
              booked: '2026-03-01',
              valued: '2026-03-01',
              endToEndId: plainReceipt.reference,
              information: payment,
              parties,
            },
            { amount: '0.12', endToEndId: 'order 124' },
            { amount: '-12.50', valued: '2026-03-02', message: `refund:${plainReceipt.id}` },
            // The remainder of the cut amounts.
            { amount: '0.01', endToEndId: 'NOTPROVIDED' },
          ],
        },
      ])
    }
  })

  test('rounds amounts in XXX to whole units, which is a defect of the reader', () => {
    expect(read('camt.053 of one account')).toMatchObject([
      {
        balances: [balance('opening', '-3'), balance('closing', '-3')],
        entries: [{ amount: '13' }, { amount: '0' }, {}, { amount: '0' }],
      },
    ])
  })

  test('fails on a debit below 0.0001, because it writes it with an exponent that it cannot read', () => {
    for (const type of ['camt.052', 'camt.053'])
      expect(php.of(`${type} of a small debit`).error).toMatch('Cannot parse "-5.0E-5" to Money.')
  })

  test('keeps the accounts of a file apart, and reads pages', () => {
    expect(read('camt.053')).toMatchObject(accountIds.map(account => ({ account })))
    expect(read('camt.052 page 2')).toMatchObject([{ balances: [balance('interim', '10'), balance('interim', '-3')] }])
    expect(read('camt.053 empty')).toMatchObject([{ balances: [{}, {}], entries: [] }])
  })

  test('reads camt.054, and an announced refund as pending', () => {
    expect(read('camt.054 booked')).toMatchObject([{ entries: [{ status: 'BOOK', booked: '2026-03-01' }] }])
    expect(read('camt.054 announced')).toMatchObject([{ entries: [{ status: 'PDNG', booked: null, valued: null }] }])
  })

  test('finds any statement, report and notification valid, and reads it', () => expect(php.failures).toEqual([]))
})
