// Statements are valid for every account, and right to the last digit, recomputed in this file from the XML alone.
import fc from 'fast-check'
import type { XmlDocument, XmlElement } from 'libxml2-wasm'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { camt052 } from '../../src/modules/iso20022/messages/camt052.ts'
import { camt053 } from '../../src/modules/iso20022/messages/camt053.ts'
import type { Side } from '../../src/modules/iso20022/messages/entry.ts'
import { type AccountFacts, pagesOf, type StatementFacts } from '../../src/modules/iso20022/messages/statement.ts'
import { inBandAmount } from '../../src/modules/iso20022/slots.ts'
import { onChainPaymentNamespace } from '../../src/modules/iso20022/supplementary.ts'
import { accountOf as keyed } from '../kit/messages.ts'
import {
  acceptedText,
  anyText,
  booking,
  configured,
  factsOf,
  plainFacts,
  plainReceipt,
  plainRefund,
  unnumbered,
} from '../kit/receipts.ts'
import { sized } from '../kit/size.ts'
import {
  contentOf,
  onChainPaymentSchema,
  openIsoValidator,
  openValidator,
  skipWithoutSchemas,
  withXml,
} from '../kit/xsd.ts'

const own = openValidator(onChainPaymentSchema)
const schemas = new Map(
  [camt052, camt053].map(({ version }) => [version, skipWithoutSchemas ? null : openIsoValidator(version)]),
)
afterAll(() => {
  own.close()
  for (const schema of schemas.values()) schema?.close()
})

// The test has its own arithmetic: all amounts with 24 fraction digits.
const scale = 24
function big(decimal: string): bigint {
  const [, sign, integer = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  return BigInt(`${sign}${integer}${fraction.padEnd(scale, '0')}`)
}
const add = (numbers: bigint[]) => numbers.reduce((sum, number) => sum + number, 0n)
const signed = (side: string | undefined, size: bigint) => (side === 'DBIT' ? -size : size)

const statement: StatementFacts = {
  ...unnumbered,
  id: '0b8f6f5e-1d1c-4c7b-9a55-2f2b8f0f9a01',
  at: new Date('2026-03-02T00:10:00.000Z'),
  from: new Date('2026-03-01T00:00:00.000Z'),
  to: new Date('2026-03-02T00:00:00.000Z'),
  organisation: plainFacts.organisation,
  accounts: [],
}

/**
 * An account of the plain receipt's receiver, with these amounts booked a minute apart; negative amounts are paid out.
 */
function accountOf(amounts: string[], before: string[] = [], currency = 'USDC'): AccountFacts {
  const { receiverWallet: wallet, senderWallet: other, chain } = plainReceipt
  return {
    ...keyed({ wallet, chain, currency }),
    isProven: true,
    opening: openingOf(before),
    entries: amounts.map((signedAmount, index) => {
      const side: Side = signedAmount.startsWith('-') ? 'DBIT' : 'CRDT'
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
      const wallets =
        side === 'CRDT'
          ? { senderWallet: other, receiverWallet: wallet }
          : { senderWallet: wallet, receiverWallet: other }
      const receipt = { ...plainReceipt, ...wallets, id, currency, amount: signedAmount.replace('-', '') }
      const bookedAt = new Date(Date.UTC(2026, 2, 1, 12, index))
      const anchor = plainFacts.anchor && { ...plainFacts.anchor, bookedAt }
      return booking({ ...plainFacts, receipt, anchor }, side)
    }),
  }
}

/** Computes the opening balance from earlier entries, given as signed amounts. */
function openingOf(before: string[]): string {
  const sum = add(before.map(big))
  const padded = `${sum < 0n ? -sum : sum}`.padStart(scale + 1, '0')
  return `${sum < 0n ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale).slice(0, 18)}`
}

const names = { c: '', o: onChainPaymentNamespace }
type Node = XmlDocument | XmlElement

const jsonText = z.string()

const reader = (namespace: string) => {
  const prefixes = { ...names, c: namespace }
  const all = (node: Node, path: string) => node.find(path, prefixes) as XmlElement[]
  const text = (node: Node, path: string) => {
    const found = node.get(path, prefixes)
    return found === null ? undefined : contentOf(found)
  }
  const exact = (node: Node, name: string) => {
    const content = text(node, `o:${name}`) ?? ''
    return text(node, `o:${name}/@enc`) === 'json' ? jsonText.parse(JSON.parse(content)) : content
  }
  return { all, text, exact }
}

/** Parses each Stmt or Rpt, with its account in OnChainStatement. */
function readPieces(message: typeof camt052 | typeof camt053, document: XmlDocument) {
  const { all, text, exact } = reader(message.namespace)
  const sums = all(document, '//o:OnChainStatement/o:Account')
  return all(document, '//c:Stmt | //c:Rpt').map((part, index) => {
    const number = (path: string, node: Node = part) => big(text(node, path) ?? '0')
    const balances = all(part, 'c:Bal').map(balance => ({
      code: text(balance, 'c:Tp/c:CdOrPrtry/c:Cd'),
      value: signed(text(balance, 'c:CdtDbtInd'), number('c:Amt', balance)),
      at: text(balance, 'c:Dt/c:Dt'),
    }))
    const totals = ['TtlNtries', 'TtlCdtNtries', 'TtlDbtNtries'].map(name => ({
      count: Number(text(part, `c:TxsSummry/c:${name}/c:NbOfNtries`)),
      sum: number(`c:TxsSummry/c:${name}/c:Sum`),
    }))
    const isRemainder = (entry: Node) => text(entry, 'c:BkTxCd/c:Prtry/c:Cd') === 'ONCHAIN-REMAINDER'
    const remainders = all(part, 'c:Ntry')
      .filter(isRemainder)
      .map(entry => ({
        side: text(entry, 'c:CdtDbtInd') ?? '',
        inBand: number('c:Amt', entry),
        ids: all(entry, './/o:OnChainPayment/o:ReceiptId').map(({ content }) => content),
        small: all(entry, './/o:OnChainPayment/o:Amount').map(({ content }) => big(content)),
      }))
    const payments = all(part, 'c:Ntry').filter(entry => !isRemainder(entry))
    const entries = payments.map(entry => ({
      reference: text(entry, 'c:NtryRef'),
      side: text(entry, 'c:CdtDbtInd') ?? '',
      inBand: number('c:Amt', entry),
      detail: number('c:NtryDtls/c:TxDtls/c:Amt', entry),
      exact: number('.//o:OnChainPayment/o:Amount', entry),
      flag: text(entry, './/o:OnChainPayment/o:Amount/@inBand'),
    }))
    const net = signed(
      text(part, 'c:TxsSummry/c:TtlNtries/c:TtlNetNtry/c:CdtDbtInd'),
      number('c:TxsSummry/c:TtlNtries/c:TtlNetNtry/c:Amt'),
    )
    const account = sums[index]
    return {
      id: text(part, 'c:Id'),
      page: text(part, 'c:StmtPgntn/c:PgNb | c:RptPgntn/c:PgNb'),
      isLast: text(part, 'c:StmtPgntn/c:LastPgInd | c:RptPgntn/c:LastPgInd') === 'true',
      balances,
      totals,
      net,
      hasTotals: text(part, 'c:TxsSummry') !== undefined,
      remainders,
      entries,
      information: text(part, 'c:AddtlStmtInf | c:AddtlRptInf'),
      exact:
        account === undefined
          ? null
          : {
              key: [exact(account, 'Wallet'), exact(account, 'Chain'), exact(account, 'Asset')],
              opening: big(exact(account, 'Opening')),
              credits: big(exact(account, 'Credits')),
              debits: big(exact(account, 'Debits')),
              closing: big(exact(account, 'Closing')),
              entries: Number(exact(account, 'Entries')),
              flag: text(account, '@inBand'),
            },
    }
  })
}
type ReadPiece = ReturnType<typeof readPieces>[number]

/** Checks each piece by itself: balances, totals and entries reconcile. */
function expectReconciled({ balances, totals, net, hasTotals, entries, remainders, exact }: ReadPiece): void {
  const of = (side: string) => [...entries, ...remainders].filter(entry => entry.side === side).map(one => one.inBand)
  const [opening = 0n, closing = 0n] = balances.map(({ value }) => value)
  const [credits, debits] = [add(of('CRDT')), add(of('DBIT'))]
  const small = remainders.flatMap(remainder => remainder.small)
  expect(balances).toHaveLength(2)
  if (hasTotals) {
    expect(opening + credits - debits).toBe(closing)
    expect(net).toBe(credits - debits)
    expect(totals).toEqual([
      { count: entries.length + remainders.length, sum: credits + debits },
      { count: of('CRDT').length, sum: credits },
      { count: of('DBIT').length, sum: debits },
    ])
  }
  for (const entry of entries) {
    expect(entry.detail).toBe(entry.inBand)
    const difference = entry.inBand - entry.exact
    expect(entry.flag).toBe(difference === 0n ? 'exact' : difference < 0n ? 'truncated' : 'raised')
    expect(entry.inBand > 0n).toBe(true)
  }
  if (exact === null) return
  expect(exact.credits + exact.debits).toBe(add([...entries.map(entry => entry.exact), ...small]))
  expect(exact.opening + exact.credits - exact.debits).toBe(exact.closing)
  expect(exact.entries).toBe(entries.length + small.length)
  const isWhole =
    opening === exact.opening && closing === exact.closing && credits === exact.credits && debits === exact.debits
  expect(exact.flag).toBe(isWhole ? 'exact' : 'truncated')
}

/**
 * Builds every page and checks that it is valid and reconciles, that pages continue each other, and that no entry is
 * lost or repeated.
 */
function check(message: typeof camt052 | typeof camt053, facts: StatementFacts, size?: number): ReadPiece[] {
  const { all, text } = reader(message.namespace)
  const pages = pagesOf(facts, size)
  expect(pages.length).toBeGreaterThan(0)
  const ids: (string | undefined)[] = []
  const read = pages.flatMap((page, index) =>
    withXml(message.build(page), document => {
      const schema = schemas.get(message.version) ?? null
      if (schema !== null) expect(schema.faults(document)).toEqual([])
      const ours = all(document, '//o:OnChainStatement')
      expect(ours).toHaveLength(1)
      for (const element of [...ours, ...all(document, '//o:OnChainPayment')]) {
        expect(withXml(element.toString(), part => own.faults(part))).toEqual([])
      }
      expect(text(document, '//o:StatementId')).toBe(facts.id)
      expect(text(document, '//o:Page')).toBe(String(index + 1))
      expect(text(document, '//o:Pages')).toBe(String(pages.length))
      expect(text(document, '//c:GrpHdr/c:MsgPgntn/c:PgNb')).toBe(String(index + 1))
      expect(text(document, '//c:GrpHdr/c:MsgPgntn/c:LastPgInd')).toBe(String(index === pages.length - 1))
      ids.push(text(document, '//c:GrpHdr/c:MsgId'))
      const pieces = readPieces(message, document)
      expect(add(pieces.map(({ entries }) => BigInt(entries.length))) <= BigInt(size ?? 500)).toBe(true)
      return pieces
    }),
  )
  expect(new Set(ids).size).toBe(pages.length)
  read.forEach(expectReconciled)
  const byAccount = [...Map.groupBy(read, ({ id }) => id).values()]
  expect(byAccount).toHaveLength(Math.max(facts.accounts.length, 1))
  for (const [index, account] of facts.accounts.entries()) {
    expectAccount(account, byAccount[index] ?? [], codesOf(message, facts))
  }
  return read
}

/**
 * Returns the codes of the opening and the closing balance: a period that has not ended closes with an interim balance.
 */
const codesOf = (message: typeof camt052 | typeof camt053, { at, to }: Pick<StatementFacts, 'at' | 'to'>) =>
  message === camt052
    ? { opening: 'ITBD', closing: 'ITBD' }
    : { opening: 'OPBD', closing: at.getTime() < to.getTime() - 1 ? 'ITBD' : 'CLBD' }

function expectAccount(account: AccountFacts, pieces: ReadPiece[], codes: ReturnType<typeof codesOf>): void {
  const shownIds = pieces.flatMap(({ entries, remainders }) => [
    ...entries.map(({ reference }) => reference),
    ...remainders.flatMap(({ ids }) => ids.map(id => `TX-${id.replaceAll('-', '')}`)),
  ])
  const ids = account.entries.map(({ facts }) => `TX-${facts.receipt.id.replaceAll('-', '')}`)
  expect(shownIds.toSorted()).toEqual(ids.toSorted())
  pieces.forEach((piece, index) => {
    const [opening, closing] = piece.balances
    const before = pieces[index - 1]
    const isLast = index === pieces.length - 1
    expect(piece.page).toBe(String(index + 1))
    expect(piece.isLast).toBe(isLast)
    expect([opening?.code, closing?.code]).toEqual([
      index === 0 ? codes.opening : 'ITBD',
      isLast ? codes.closing : 'ITBD',
    ])
    expect(piece.exact?.key).toEqual([account.wallet, account.chain, account.currency])
    expect(piece.exact?.opening).toBe(before === undefined ? big(account.opening) : before.exact?.closing)
    if (before !== undefined) expect(opening).toEqual(before.balances[1])
  })
  if (pieces.some(({ information }) => information?.includes('exceed 18 digits'))) return
  const usual = account.entries.map(({ facts }) => inBandAmount(facts.receipt.amount))
  const shown = pieces.flatMap(({ entries }) => entries.map(({ inBand }) => inBand))
  // The remainder of a piece may take the place of those that are too small.
  const isShown = (amount: bigint, inBand: string, index: number) => inBand !== 'raised' || shown[index] === amount
  let at = 0
  for (const { text, inBand } of usual) if (isShown(big(text), inBand, at)) expect(shown[at++]).toBe(big(text))
  expect(at).toBe(shown.length)
}

const both = [camt052, camt053]

describe.each(both)('$version', message => {
  test.skipIf(skipWithoutSchemas)('the schema of this version is available and refuses another message', () => {
    expect(withXml('<Document/>', document => schemas.get(message.version)?.faults(document).length)).toBeGreaterThan(0)
  })

  test('a plain account has balances, totals and entries that reconcile', () => {
    const [piece] = check(message, { ...statement, accounts: [accountOf(['12.5', '0.25', '-2'], ['10', '-1.5'])] })
    expect(piece?.balances).toEqual([
      { code: message === camt053 ? 'OPBD' : 'ITBD', value: big('8.5'), at: '2026-03-01' },
      { code: message === camt053 ? 'CLBD' : 'ITBD', value: big('19.25'), at: '2026-03-01' },
    ])
    expect(piece?.totals.map(({ count, sum }) => [count, sum])).toEqual([
      [3, big('14.75')],
      [2, big('12.75')],
      [1, big('2')],
    ])
    expect(piece?.information).toContain('they are not the balance of the wallet on chain')
    expect(piece?.exact?.flag).toBe('exact')
  })

  test('an empty statement is a valid document with one empty account', () => {
    const pieces = check(message, statement)
    expect(pieces.map(({ balances, totals }) => [balances.map(({ value }) => value), totals[0]?.count])).toEqual([
      [[0n, 0n], 0],
    ])
    expect(pieces[0]?.information).toContain('No payment was booked')
  })

  test('balances below zero are debits, never negative amounts', () => {
    const [piece] = check(message, { ...statement, accounts: [accountOf(['-3'], ['1', '-1.00001'])] })
    expect(piece?.balances.map(({ value }) => value)).toEqual([big('-0.00001'), big('-3.00001')])
  })

  test('every account that the API can produce is valid and reconciles', () => {
    fc.assert(
      fc.property(statementsOf(acceptedText), pageSize, (facts, size) => {
        check(message, facts, size)
      }),
      { numRuns: sized(15, 200) },
    )
  })

  test('any text at all is valid and reconciles', () => {
    fc.assert(
      fc.property(statementsOf(anyText), pageSize, (facts, size) => {
        check(message, facts, size)
      }),
      { numRuns: sized(15, 200) },
    )
  })
})

const pageSize = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(500))
const sideOf = fc.constantFrom<Side[]>('CRDT', 'DBIT')
// ISO dates end with the year 9999.
const anyTime = fc.date({ min: new Date(0), max: new Date('9999-12-29T00:00:00Z'), noInvalidDate: true })

function accountsOf(any: fc.Arbitrary<string>): fc.Arbitrary<AccountFacts> {
  const entry = fc.tuple(factsOf(any), sideOf).map(([facts, side]) => booking(facts, side))
  const before = fc.array(
    fc.tuple(factsOf(any), sideOf).map(([{ receipt }, side]) => `${side === 'DBIT' ? '-' : ''}${receipt.amount}`),
    { maxLength: 4 },
  )
  return fc
    .tuple(any, any, any, before, fc.array(entry, { maxLength: 7 }))
    .map(([wallet, chain, currency, earlier, entries]) => ({
      ...keyed({ wallet, chain, currency }),
      isProven: entries.length > 2,
      opening: openingOf(earlier),
      entries,
    }))
}

const statementsOf = (any: fc.Arbitrary<string>): fc.Arbitrary<StatementFacts> =>
  fc
    .record({
      id: fc.uuid({ version: 4 }),
      at: anyTime,
      from: anyTime,
      accounts: fc.array(accountsOf(any), { maxLength: 4 }),
    })
    .map(parts => ({ ...statement, ...parts, to: new Date(parts.from.getTime() + 86_400_000) }))

describe('page breaks', () => {
  const accounts = [
    accountOf(['1', '2', '-0.5', '4', '0.00001'], ['7']),
    accountOf([], ['3'], 'EURC'),
    accountOf(['10', '-20'], [], 'ETH'),
  ]

  test.each([
    [1, [1, 1, 1, 1, 1, 0, 1, 1]],
    [2, [2, 2, 1, 2]],
    [3, [3, 2, 2]],
    [4, [4, 3]],
    [5, [5, 2]],
    [8, [7]],
    [500, [7]],
  ])('of %i entries lose and repeat no entry, and carry the balance over', (size, expected) => {
    const facts = { ...statement, accounts }
    for (const message of both) check(message, facts, size)
    const counts = pagesOf(facts, size).map(({ pieces }) => pieces.flatMap(({ entries }) => entries).length)
    expect(counts).toEqual(expected)
  })

  test('an account is split at 500 entries unless another size is given', () => {
    const facts = { ...statement, accounts: [accountOf(Array.from({ length: 1001 }, () => '0.01'))] }
    const pieces = check(camt053, facts)
    expect(pieces.map(({ entries }) => entries.length)).toEqual([500, 500, 1])
    expect(pieces.at(-1)?.balances[1]?.value).toBe(big('10.01'))
  })

  test('the balance at a page break has the date of the last entry before it', () => {
    const account = accountOf(['1', '2', '4'], ['8'])
    // The entries are of three days.
    const dated = account.entries.map((entry, day) => ({
      ...entry,
      bookedAt: new Date(Date.UTC(2026, 2, 1 + day, 12)),
    }))
    const to = new Date('2026-03-05T00:00:00.000Z')
    const pieces = check(camt053, { ...statement, at: to, to, accounts: [{ ...account, entries: dated }] }, 2)
    expect(pieces.map(({ balances }) => balances.map(({ code, at }) => [code, at]))).toEqual([
      [
        ['OPBD', '2026-03-01'],
        ['ITBD', '2026-03-02'],
      ],
      [
        ['ITBD', '2026-03-02'],
        ['CLBD', '2026-03-04'],
      ],
    ])
    expect(pieces[0]?.information).toContain('of this page')
  })

  test('accounts without entries do not accumulate on one page', () => {
    const facts = { ...statement, accounts: Array.from({ length: 7 }, () => accountOf([], ['1'])) }
    check(camt053, facts, 3)
    expect(pagesOf(facts, 3).map(({ pieces }) => pieces.length)).toEqual([3, 3, 1])
  })
})

describe('sums of more than 18 digits', () => {
  const shownOf = (...[amounts, before, size]: [string[], string[]?, number?]) => {
    const pieces = both.map(message => check(message, { ...statement, accounts: [accountOf(amounts, before)] }, size))
    const read = pieces[1] ?? []
    return {
      amounts: read.flatMap(({ entries }) => entries.map(({ inBand }) => inBand)),
      remainders: read.flatMap(({ remainders }) => remainders),
      balances: read.map(({ balances }) => balances.map(({ value }) => value)),
      information: read.map(({ information }) => information ?? '').join(),
      closing: read.at(-1)?.exact?.closing,
    }
  }

  test('cut every amount of the account to fewer decimals', () => {
    const shown = shownOf(['9999999999999.99999', '0.00009'], ['0.12349'])
    expect(shown.amounts).toEqual([big('9999999999999.9999')])
    expect(shown.remainders).toMatchObject([{ side: 'CRDT', inBand: big('0.0002'), small: [big('0.00009')] }])
    expect(shown.balances).toEqual([[big('0.1234'), big('10000000000000.1235')]])
    expect(shown.closing).toBe(big('10000000000000.12357'))
    expect(shown.information).toContain('Sums of this account exceed 18 digits: amounts here are all cut to 4')
  })

  test('cut them also when only the sum of credits is too long', () => {
    const shown = shownOf(['12345678901234', '0.00005', '-0.00005'])
    expect(shown.amounts).toEqual([big('12345678901234'), big('0.0001'), big('0.0001')])
  })

  test('are left out where the integers alone are too long, and the balance is the largest that fits', () => {
    const shown = shownOf(['600000000000000000', '600000000000000000.5', '-7'], ['1'])
    expect(shown.amounts).toEqual([big('600000000000000000'), big('600000000000000000'), big('7')])
    expect(shown.balances).toEqual([[big('1'), big('9'.repeat(18))]])
    expect(shown.closing).toBe(big('1199999999999999994.5'))
    expect(shown.information).toContain('there are none here, and balances are at most the largest amount')
  })

  test('cut all pages of an account alike, so that balances continue from page to page', () => {
    const shown = shownOf(['0.12345', '9999999999999.99999', '0.5'], [], 1)
    expect(shown.amounts).toEqual([big('0.1234'), big('9999999999999.9999'), big('0.5')])
  })

  test('leave an account that just fits, and the other accounts of the statement, unchanged', () => {
    expect(shownOf(['999999999999999998', '1'], []).information).not.toContain('exceed')
    expect(shownOf(['9999999999999.99998', '0.00001']).information).not.toContain('exceed')
    expect(shownOf(['50000000000000', '-50000000000000'], ['0.00005']).information).not.toContain('exceed')
    const accounts = [accountOf(['999999999999999999', '1']), accountOf(['0.12345'], [], 'EURC')]
    const pieces = check(camt053, { ...statement, accounts })
    expect(pieces.map(({ entries }) => entries.at(-1)?.inBand)).toEqual([big('1'), big('0.12345')])
  })
})

describe('the header of a statement', () => {
  const { text, all } = reader(camt053.namespace)
  const first = <T>(facts: StatementFacts, read: (document: XmlDocument) => T) =>
    withXml(pagesOf(facts).map(camt053.build)[0] ?? '', read)

  test('is the same text for the same statement, and its first page has the statement’s id', () => {
    const facts = { ...statement, accounts: [accountOf(['1', '2', '3'])] }
    expect(pagesOf(facts, 1).map(camt053.build)).toEqual(pagesOf(facts, 1).map(camt053.build))
    const id = first(facts, document => text(document, '//c:MsgId'))
    expect(id).toBe('CS-0b8f6f5e1d1c4c7b9a552f2b8f0f9a01')
  })

  test('ends its period on the same day, and names accounts by their assets', () => {
    const accounts = [accountOf(['1']), accountOf(['1'], [], 'ETH')]
    first({ ...statement, accounts }, document => {
      expect(all(document, '//c:ToDtTm').map(({ content }) => content.slice(0, 10))).toEqual([
        '2026-03-01',
        '2026-03-01',
      ])
      expect(all(document, '//c:Acct/c:Nm').map(({ content }) => content)).toEqual(['USDC on base', 'ETH on base'])
      expect(text(document, '//c:Acct/c:Prxy/c:Id')).toBe(plainReceipt.receiverWallet)
    })
  })

  test('of a statement built before its period ends has the balance of that day, not of the last one', () => {
    const [at, to] = [new Date('2026-03-01T13:00:00.000Z'), new Date('2026-03-05T00:00:00.000Z')]
    const [piece] = check(camt053, { ...statement, at, to, accounts: [accountOf(['1'])] })
    expect(piece?.balances[1]?.at).toBe('2026-03-01')
    expect(piece?.information).toContain('Made before its period ended.')
  })

  test('has the configured currencies and names', () => {
    const organisation = configured({
      org: { name: 'Acme Group' },
      mapping: {
        creditorDefaults: { name: 'Acme Ltd', country: 'DE', wallets: [{ address: plainReceipt.receiverWallet }] },
        assets: [{ label: 'USDC', currency: 'USD' }],
      },
    })
    const [credit] = accountOf(['5']).entries
    const refund = booking({ ...plainFacts, receipt: plainRefund, organisation }, 'DBIT')
    const entries = [...(credit ? [{ ...credit, facts: { ...credit.facts, organisation } }] : []), refund]
    const facts = { ...statement, organisation, accounts: [{ ...accountOf([]), entries }] }
    check(camt053, facts)
    first(facts, document => {
      expect(text(document, '//c:Acct/c:Ccy')).toBe('USD')
      expect(new Set(all(document, '//c:Amt/@Ccy').map(({ content }) => content))).toEqual(new Set(['USD']))
      expect(text(document, '//c:Acct/c:Ownr/c:Nm')).toBe('Acme Ltd')
      expect(text(document, '//c:Acct/c:Ownr//c:Issr')).toBe('PROVEN-BY-SIGNATURE')
      expect(text(document, '//c:GrpHdr/c:MsgRcpt/c:Nm')).toBe('Acme Group')
      expect(all(document, '//c:Ntry').map(entry => text(entry, './/c:Dbtr//c:Nm | .//c:Cdtr//c:Nm'))).toEqual([
        plainReceipt.senderWallet,
        'Acme Ltd',
      ])
    })
  })
})
