// Prowide in Java and AqBanking in C read our messages, where they can run. Where a reader has a defect of its own, the
// test names it.
import { describe, expect, test } from 'vitest'
import { readOnChainPayments } from '../../src/modules/iso20022/reader.ts'
import { readerOf } from '../kit/readers/reader.ts'
import { aqbanking, prowide } from '../kit/readers/readers.ts'
import { accountIds, customer, samples, shop } from '../kit/readers/samples.ts'
import { plainReceipt } from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'

const count = sized(5, 200)
const [java, cli] = await Promise.all([readerOf('Prowide', prowide, count), readerOf('AqBanking', aqbanking, count)])

const others = accountIds.slice(1)

describe.skipIf(java.isMissing)('Prowide', () => {
  const read = (message: string) => java.of(message).read
  const day = (day: number) => ({ dt: { year: 2026, month: 3, day } })

  test('keeps the accounts of camt.053 and camt.052 apart, with balances and entries', () => {
    expect(new Set(accountIds).size).toBe(6)
    const balance = (cd: string, value: number, cdtDbtInd: string) => ({
      tp: { cdOrPrtry: { cd } },
      amt: { value, ccy: 'XXX' },
      cdtDbtInd,
    })
    const parts = (opening: string, closing: string) => [
      {
        acct: { id: { othr: { id: accountIds[0] } }, nm: 'USDC on base', ownr: { nm: shop } },
        bal: [balance(opening, 3, 'DBIT'), balance(closing, 2.87654, 'DBIT')],
        ntry: [
          {
            amt: { value: 12.5 },
            cdtDbtInd: 'CRDT',
            sts: { cd: 'BOOK' },
            bookgDt: day(1),
            valDt: day(1),
            ntryDtls: [
              {
                txDtls: [
                  { refs: { endToEndId: plainReceipt.reference }, rltdPties: { dbtr: { pty: { nm: customer } } } },
                ],
              },
            ],
          },
          { amt: { value: 0.12345 } },
          { amt: { value: 12.5 }, cdtDbtInd: 'DBIT', valDt: day(2) },
          { amt: { value: 0.00001 }, cdtDbtInd: 'CRDT', bkTxCd: { prtry: { cd: 'ONCHAIN-REMAINDER' } } },
        ],
      },
      ...others.map(id => ({
        acct: { id: { othr: { id } } },
        bal: [balance(opening, 10.5, 'CRDT'), balance(closing, 23, 'CRDT')],
        ntry: [{ amt: { value: 12.5 } }],
      })),
    ]
    expect(read('camt.053')).toMatchObject({ bkToCstmrStmt: { stmt: parts('OPBD', 'CLBD') } })
    expect(read('camt.052')).toMatchObject({ bkToCstmrAcctRpt: { rpt: parts('ITBD', 'ITBD') } })
  })

  test('reads an announced refund as pending', () => {
    const entry = (cd: string) => ({ bkToCstmrDbtCdtNtfctn: { ntfctn: [{ ntry: [{ sts: { cd } }] }] } })
    expect(read('camt.054 booked')).toMatchObject(entry('BOOK'))
    expect(read('camt.054 announced')).toMatchObject(entry('PDNG'))
  })

  test('reads pain.001, pain.002, pacs.002 and pacs.004', () => {
    const endToEndId = plainReceipt.reference
    const transfer = { pmtId: { endToEndId }, amt: { instdAmt: { value: 12.5, ccy: 'XXX' } }, cdtr: { nm: shop } }
    expect(read('pain.001')).toMatchObject({
      cstmrCdtTrfInitn: { pmtInf: [{ dbtr: { nm: customer }, cdtTrfTxInf: [transfer] }] },
    })
    const status = (txSts: string) => [{ orgnlEndToEndId: endToEndId, txSts }]
    const group = (txSts: string) => ({
      cstmrPmtStsRpt: { orgnlPmtInfAndSts: [{ txInfAndSts: status(txSts) }], orgnlGrpInfAndSts: { grpSts: txSts } },
    })
    expect(read('pain.002')).toMatchObject(group('ACSC'))
    expect(read('pain.002 announced')).toMatchObject(group('ACTC'))
    expect(read('pacs.002')).toMatchObject({ fiToFIPmtStsRpt: { txInfAndSts: status('ACSC') } })
    expect(read('pacs.002 announced')).toMatchObject({ fiToFIPmtStsRpt: { txInfAndSts: status('ACTC') } })
    expect(read('pacs.004')).toMatchObject({
      pmtRtr: { txInf: [{ orgnlEndToEndId: endToEndId, rtrdIntrBkSttlmAmt: { value: 12.5, ccy: 'XXX' } }] },
    })
  })

  test('writes messages again with the exact payments in them', () => {
    const names = Object.keys(samples).filter(name => name !== 'camt.054 beyond U+FFFF')
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      expect(readOnChainPayments(java.of(name).written ?? ''), name).toEqual(readOnChainPayments(samples[name] ?? ''))
    }
  })

  test('writes a character beyond U+FFFF as two references, which XML forbids and is a defect of the reader', () => {
    const { read, written = '' } = java.of('camt.054 beyond U+FFFF') ?? {}
    expect(JSON.stringify(read)).toContain('order 😀')
    expect(written).toContain('order &#55357;&#56832;')
  })

  test('reads any statement, report and notification', () => expect(java.failures).toEqual([]))
})

describe.skipIf(cli.isMissing)('AqBanking', () => {
  const read = (message: string) => {
    const context = String(cli.of(message).read)
    const texts = (name: string) =>
      [...context.matchAll(new RegExp(`char ${name}="(.*)"`, 'g'))].map(([, text = '']) => decodeURIComponent(text))
    return { context, texts }
  }

  test('reads balances, exact signed amounts, dates and references of camt.053', () => {
    const { texts } = read('camt.053 of one account')
    const entries = ['125/10:XXX', '12345/100000:XXX', '-125/10:XXX', '1/100000:XXX']
    expect(texts('value')).toEqual(['-3:XXX', '-287654/100000:XXX', ...entries])
    expect(texts('valutaDate')).toEqual(['20260301', '20260301', '20260302', '20260301'])
    expect(texts('endToEndReference')).toEqual([
      plainReceipt.reference,
      'order 124',
      plainReceipt.reference,
      'NOTPROVIDED',
    ])
    expect(read('camt.052 of one account').texts('purpose').at(-2)).toBe(`refund:${plainReceipt.id}`)
    // The reader's defect: it reads Dbtr/Nm, as before 2019, and finds no counterparties.
    expect(texts('remoteName')).toEqual([])
  })

  test('merges all accounts, because it identifies accounts by their IBAN alone, which is a defect of the reader', () => {
    for (const message of ['camt.053', 'camt.052']) {
      const { context, texts } = read(message)
      expect(context.match(/accountInfo \{/g)).toHaveLength(1)
      expect(texts('endToEndReference')).toHaveLength(3 + accountIds.length)
    }
  })

  test('reads any statement and report', () =>
    expect(cli.failures.filter(failure => failure !== 'camt.054 unread')).toEqual([]))
})
