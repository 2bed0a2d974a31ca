// Third-party readers read our messages. Where a reader has a defect of its own, the test names it.
import { parseCamt053 } from 'camt-parser'
import { CashManagementEndOfDayReport, PaymentStatusReport } from 'iso20022.js'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { camt052 } from '../../src/modules/iso20022/messages/camt052.ts'
import { camt053 } from '../../src/modules/iso20022/messages/camt053.ts'
import { camt054 } from '../../src/modules/iso20022/messages/camt054.ts'
import { pain002 } from '../../src/modules/iso20022/messages/pain002.ts'
import { pagesOf, type StatementFacts } from '../../src/modules/iso20022/messages/statement.ts'
import { accountId } from '../../src/modules/iso20022/slots.ts'
import { accountOf } from '../kit/messages.ts'
import {
  booking,
  configured,
  plainEquivalent,
  plainFacts,
  plainReceipt,
  plainRefund,
  unnumbered,
} from '../kit/receipts.ts'

const { senderWallet: customer, receiverWallet: shop } = plainReceipt
const named = configured({ org: { name: 'Acme Ltd' } })
/** A receipt with a fiat equivalent, which readers must not read as the amount. */
const second = {
  ...plainReceipt,
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae8',
  amount: '0.75',
  reference: 'order 124',
  fiatEquivalent: plainEquivalent,
}

/** Two payments to the shop and a refund of one of them; and another account. */
const statement: StatementFacts = {
  ...unnumbered,
  id: '0b8f6f5e-1d1c-4c7b-9a55-2f2b8f0f9a01',
  at: new Date('2026-03-02T00:10:00.000Z'),
  from: new Date('2026-03-01T00:00:00.000Z'),
  to: new Date('2026-03-02T00:00:00.000Z'),
  organisation: named,
  accounts: [
    {
      ...accountOf({ wallet: shop, chain: 'base', currency: 'USDC' }),
      isProven: false,
      opening: '-3',
      entries: [
        booking(plainFacts, 'CRDT'),
        booking({ ...plainFacts, receipt: second }, 'CRDT'),
        booking({ ...plainFacts, receipt: plainRefund }, 'DBIT'),
      ],
    },
    {
      ...accountOf({ wallet: shop, chain: 'base', currency: 'EURC' }),
      isProven: false,
      opening: '10.5',
      entries: [],
    },
  ],
}
const empty = { ...statement, accounts: [] }
const firstPage = (message: typeof camt052 | typeof camt053, facts: StatementFacts, size?: number): string =>
  pagesOf(facts, size).map(message.build)[0] ?? ''

const end = '2026-03-01T23:59:59.999Z'

describe('iso20022.js', () => {
  const read = (message: typeof camt053, facts: StatementFacts, size?: number) =>
    CashManagementEndOfDayReport.fromXML(firstPage(message, facts, size))

  test('reads the balances and totals of camt.053', () => {
    const report = read(camt053, statement)
    expect(report.messageId).toBe('CS-0b8f6f5e1d1c4c7b9a552f2b8f0f9a01')
    expect(report.creationDate).toEqual(statement.at)
    expect(report.recipient?.name).toBe('Acme Ltd')
    const account = (currency: string) => ({
      accountNumber: accountId(accountOf({ wallet: shop, chain: 'base', currency })),
      currency: 'XXX',
      name: `${currency} on base`,
    })
    // Two assets of a wallet are two accounts, also for readers that know accounts by their number alone.
    expect(report.statements.map(({ account }) => account)).toEqual([account('USDC'), account('EURC')])
    // In hundredths, because this reader assumes two decimals for every currency that it does not know.
    const balance = (type: string, amount: number, creditDebitIndicator: string, date: Date) => ({
      type,
      amount,
      currency: 'XXX',
      creditDebitIndicator,
      date,
    })
    expect(report.statements.map(({ balances }) => balances)).toEqual([
      [balance('OPBD', 300, 'debit', statement.from), balance('CLBD', 225, 'debit', statement.from)],
      [balance('OPBD', 1050, 'credit', statement.from), balance('CLBD', 1050, 'credit', statement.from)],
    ])
    // The reader's type declarations have other names (numOfCreditEntries) than the members that it fills.
    expect(report.statements[0]).toMatchObject({
      numOfEntries: 3,
      sumOfEntries: 25.75,
      numOfCredits: 2,
      sumOfCredits: 13.25,
      numOfDebits: 1,
      sumOfDebits: 12.5,
      fromDate: statement.from,
      toDate: new Date(end),
    })
  })

  test('reads the entries of camt.053 and the accounts between which they move', () => {
    const { entries } = read(camt053, statement)
    expect(entries.map(entry => [entry.referenceId, entry.creditDebitIndicator, entry.amount, entry.currency])).toEqual(
      [
        ['TX-7c9e6679742540de944be07fc1f90ae7', 'credit', 1250, 'XXX'],
        ['TX-7c9e6679742540de944be07fc1f90ae8', 'credit', 75, 'XXX'],
        ['TX-3f2504e04f8941d39a0c0305e82c3301', 'debit', 1250, 'XXX'],
      ],
    )
    expect(entries.map(({ bookingDate }) => bookingDate)).toEqual(entries.map(() => new Date('2026-03-01')))
    expect(entries.map(({ bankTransactionCode }) => bankTransactionCode.domainFamilyCode)).toEqual([
      'RCDT',
      'RCDT',
      'ICDT',
    ])
    expect(entries[0]?.additionalInformation).toBe(
      `12.5 USDC ON base TX ${plainReceipt.tipTxHash}. Stated by the project, not checked on its chain.`,
    )
    const [payment, , refund] = entries.map(({ transactions }) => transactions[0])
    expect(payment).toMatchObject({
      paymentInformationId: 'P1-7c9e6679742540de944be07fc1f90ae7',
      remittanceInformation: plainReceipt.reference,
      debtor: {
        account: { accountNumber: accountId(accountOf({ wallet: customer, chain: 'base', currency: 'USDC' })) },
      },
      creditor: { account: { accountNumber: accountId(accountOf({ wallet: shop, chain: 'base', currency: 'USDC' })) } },
    })
    expect(refund).toMatchObject({
      messageId: 'F4-3f2504e04f8941d39a0c0305e82c3301',
      debtor: { account: { accountNumber: accountId(accountOf({ wallet: shop, chain: 'base', currency: 'USDC' })) } },
      creditor: {
        account: { accountNumber: accountId(accountOf({ wallet: customer, chain: 'base', currency: 'USDC' })) },
      },
    })
    // The reader's defect: it reads Dbtr/Nm, as before 2019; since then the schema has only Dbtr/Pty/Nm.
    expect(payment?.debtor?.name).toBeUndefined()
  })

  test('reads a page of camt.053 that ends within an account', () => {
    const [first] = read(camt053, statement, 2).statements
    expect(first?.balances.map(({ type, amount }) => [type, amount])).toEqual([
      ['OPBD', 300],
      ['ITBD', 1025],
    ])
  })

  test('reads an empty camt.053', () => {
    const report = read(camt053, empty)
    expect(report.entries).toEqual([])
    expect(report.statements.map(({ balances }) => balances.map(({ amount }) => amount))).toEqual([[0, 0]])
  })

  test('reads pain.002', () => {
    const report = PaymentStatusReport.fromXML(pain002.build({ ...plainFacts, organisation: named }))
    expect(report.messageId).toBe('P2-7c9e6679742540de944be07fc1f90ae7')
    expect(report.creationDate).toEqual(plainFacts.occasion.at)
    expect(report.originalMessageId).toBe('P1-7c9e6679742540de944be07fc1f90ae7')
    expect(report.initatingParty.name).toBe('Acme Ltd')
    expect(report.statusInformations).toMatchObject([
      { type: 'group', originalMessageId: 'P1-7c9e6679742540de944be07fc1f90ae7', status: 'ACSC' },
      { type: 'payment', originalPaymentId: 'P1-7c9e6679742540de944be07fc1f90ae7', status: 'ACSC' },
      { type: 'transaction', originalEndToEndId: plainReceipt.reference, status: 'ACSC' },
    ])
  })

  test('reads addresses as names and references of digits as numbers, which is a defect of the reader', () => {
    expect(PaymentStatusReport.fromXML(pain002.build(plainFacts)).initatingParty.name).toBe(Number(customer))
    const receipt = { ...plainReceipt, reference: '000123' }
    const report = PaymentStatusReport.fromXML(pain002.build({ ...plainFacts, receipt }))
    expect(report.statusInformations[2]).toMatchObject({ originalEndToEndId: 123 })
  })
})

describe('camt-parser', () => {
  const balance = (type: string, value: string, creditDebitIndicator: string, date: string) => ({
    type,
    amount: { currency: 'XXX', value },
    creditDebitIndicator,
    date,
  })
  const opens = '2026-03-01T00:00:00.000Z'
  const day = '2026-03-01'

  test('reads camt.053', async () => {
    const { header, statements } = await parseCamt053(firstPage(camt053, statement))
    expect(header).toEqual({
      messageId: 'CS-0b8f6f5e1d1c4c7b9a552f2b8f0f9a01',
      creationDateTime: '2026-03-02T00:10:00.000Z',
    })
    expect(statements.map(({ balances }) => balances)).toEqual([
      [balance('OPBD', '3', 'DBIT', day), balance('CLBD', '2.25', 'DBIT', day)],
      [balance('OPBD', '10.5', 'CRDT', day), balance('CLBD', '10.5', 'CRDT', day)],
    ])
    const [usdc] = statements
    expect(usdc).toMatchObject({
      fromDateTime: opens,
      toDateTime: end,
      account: { currency: 'XXX', name: 'USDC on base', owner: { name: shop } },
      transactionSummary: {
        totalCreditEntries: { numberOfEntries: '2', sum: '13.25' },
        totalDebitEntries: { numberOfEntries: '1', sum: '12.5' },
      },
    })
    expect(usdc?.additionalInfo).toContain('not the balance of the wallet on chain')
    expect(usdc?.transactions.map(({ amount, creditDebitIndicator }) => [amount.value, creditDebitIndicator])).toEqual([
      ['12.5', 'CRDT'],
      ['0.75', 'CRDT'],
      ['12.5', 'DBIT'],
    ])
    expect(usdc?.transactions[1]).toMatchObject({
      reference: 'TX-7c9e6679742540de944be07fc1f90ae8',
      status: 'BOOK',
      bookingDate: '2026-03-01',
      valueDate: '2026-03-01',
      bankTransactionCode: 'ONCHAIN-PAYMENT',
      details: [{ references: { endToEndId: 'order 124' }, relatedParties: { creditor: { name: shop } } }],
    })
    expect(usdc?.transactions[2]?.details[0]?.relatedParties?.creditor?.name).toBe(customer)
  })

  test('reads an empty camt.053', async () => {
    const { statements } = await parseCamt053(firstPage(camt053, empty))
    expect(statements).toMatchObject([
      { balances: [balance('OPBD', '0', 'CRDT', day), balance('CLBD', '0', 'CRDT', day)], transactions: [] },
    ])
  })

  // This reader reads statements only, no reports and no notifications. Their contents have the same types: with
  // nothing changed but the names of the outer elements, it reads them.
  const asStatement = (xml: string, root: string, part: string) =>
    xml.replaceAll(root, 'BkToCstmrStmt').replaceAll(new RegExp(`(</?)${part}>`, 'g'), '$1Stmt>')

  test('reads camt.052 under the names of a statement', async () => {
    const xml = firstPage(camt052, statement)
    await expect(parseCamt053(xml)).rejects.toThrow(TypeError)
    const { header, statements } = await parseCamt053(asStatement(xml, 'BkToCstmrAcctRpt', 'Rpt'))
    expect(header.messageId).toBe('CR-0b8f6f5e1d1c4c7b9a552f2b8f0f9a01')
    expect(statements[0]?.balances).toEqual([balance('ITBD', '3', 'DBIT', day), balance('ITBD', '2.25', 'DBIT', day)])
    expect(statements[0]?.transactions.map(({ amount }) => amount.value)).toEqual(['12.5', '0.75', '12.5'])
  })

  test('reads camt.054 under the names of a statement', async () => {
    const xml = camt054.build(plainFacts)
    await expect(parseCamt053(xml)).rejects.toThrow(TypeError)
    const { statements } = await parseCamt053(asStatement(xml, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'))
    expect(statements).toMatchObject([
      {
        account: { owner: { name: shop } },
        transactionSummary: { totalCreditEntries: { numberOfEntries: '1', sum: '12.5' } },
        transactions: [
          {
            amount: { currency: 'XXX', value: '12.5' },
            creditDebitIndicator: 'CRDT',
            details: [
              { references: { endToEndId: plainReceipt.reference }, relatedParties: { creditor: { name: shop } } },
            ],
          },
        ],
      },
    ])
  })
})

// A client for German banks, which deliver camt.052. The package does not export its parser, hence the path.
describe('lib-fints', () => {
  const shapes = z.array(
    z.object({
      number: z.string(),
      openingBalance: z.object({ value: z.number() }),
      closingBalance: z.object({ value: z.number(), currency: z.string() }),
      transactions: z.array(
        z.object({
          amount: z.number(),
          e2eReference: z.string(),
          purpose: z.string(),
          remoteName: z.string(),
          entryDate: z.date(),
        }),
      ),
    }),
  )
  async function read(xml: string) {
    const { CamtParser } = await import(
      new URL('../../node_modules/lib-fints/dist/camtParser.js', import.meta.url).href
    )
    return shapes.parse(new CamtParser(xml).parse())
  }

  test('reads camt.052: signed amounts, references and counterparties', async () => {
    const [usdc, eurc] = await read(firstPage(camt052, statement))
    // The reader's defect: it takes the first interim balance as the closing balance and knows no interim opening
    // balance.
    expect(usdc).toMatchObject({ openingBalance: { value: 0 }, closingBalance: { value: -3, currency: 'XXX' } })
    expect(eurc).toMatchObject({ closingBalance: { value: 10.5 }, transactions: [] })
    expect(usdc?.transactions.map(({ amount }) => amount)).toEqual([12.5, 0.75, -12.5])
    expect(usdc?.transactions[0]).toMatchObject({
      e2eReference: plainReceipt.reference,
      purpose: plainReceipt.reference,
      remoteName: customer,
      entryDate: new Date('2026-03-01T12:00:00Z'),
    })
    expect(usdc?.transactions[2]?.remoteName).toBe(customer)
  })

  test('reads an empty camt.052', async () => {
    expect((await read(firstPage(camt052, empty)))[0]).toMatchObject({ openingBalance: { value: 0 }, transactions: [] })
  })
})
