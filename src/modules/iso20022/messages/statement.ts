// The content of a statement: the payments booked in a window, account by account, split into pages.
import type { MessageConfiguration } from '../configuration.ts'
import { type AccountKey, fractionDigitsOf } from '../slots.ts'
import { currencyOf, type Shown } from './parts.ts'
import { type Booking, exactSums, inBandText, type ShownPart, type Sums, shownAccount } from './statement-sums.ts'

/** An account is one wallet, one chain and one asset label. */
export type AccountFacts = AccountKey & {
  wallet: string
  chain: string
  /** Whether the wallet is linked to the project by a signature. */
  isProven: boolean
  /** Credits less debits of all earlier entries: a plain signed decimal with at most 18 fraction digits. */
  opening: string
  /** In the order they were booked. */
  entries: Booking[]
}

/** The data of the statement that all its pages share. */
export type StatementHead = {
  /** UUID. */
  id: string
  /** When the statement is made. */
  at: Date
  from: Date
  /** The first moment after the window. */
  to: Date
  /** The IANA name of the zone in which dates are written. */
  timeZone: string
  /** The number in the series of its only account; null outside a series. */
  number: number | null
  /** True for part of a day, and for a day that has not ended. */
  isProvisional: boolean
  /** The configuration when it was made. That in the facts of an entry decides how its payment is named. */
  organisation: MessageConfiguration
}

export type StatementFacts = StatementHead & { accounts: AccountFacts[] }

/** An account on one page: the whole account, or the part between two page breaks. */
export type Piece = {
  account: Omit<AccountFacts, 'entries'>
  /** Number of the account in the statement, from 1; the same on all its pages. */
  accountNumber: number
  /** Number of the piece in the account, from 1. */
  number: number
  isLast: boolean
  /** The currency of the account in the message. */
  currency: string
  entries: (Booking & { shown: Shown })[]
  exact: Sums
  inBand: Pick<ShownPart, 'sums' | 'remainder' | 'small'>
  /** Fraction digits of amounts in the message; null where not even integers fit. */
  fractionDigits: number | null
  /** Whether the sums have so many digits that there are fewer of them after the point than the currency has. */
  isShortened: boolean
  /** Times of the opening and the closing balance. */
  opensAt: Date
  closesAt: Date
}

/** One document. An empty statement has one page without pieces. */
export type Page = {
  statement: StatementHead
  /** From 1. */
  number: number
  count: number
  pieces: Piece[]
}

/** Returns the last millisecond of the window, because importers use its date as the day of the statement. */
export const lastMoment = ({ to }: Pick<StatementHead, 'to'>): Date => new Date(to.getTime() - 1)

/** Returns the time of the closing balances: the end of the window, or `at` if the window has not ended. */
export function closingTime({ from, to, at }: StatementHead): Date {
  const end = Math.min(lastMoment({ to }).getTime(), at.getTime())
  return new Date(Math.max(end, from.getTime()))
}

function piecesOf(statement: StatementHead, accountNumber: number, whole: AccountFacts, parts: Booking[][]) {
  const { entries: _, ...account } = whole
  const currency = currencyOf(account, statement.organisation)
  const mostDigits = fractionDigitsOf(currency)
  const exact = exactSums(account.opening, parts)
  const { parts: shown, fractionDigits } = shownAccount(parts, exact, mostDigits)
  let opensAt = statement.from
  return parts.map((part, index): Piece => {
    const [sums, found] = [exact[index], shown[index]]
    if (sums === undefined || found === undefined) throw new Error('each part has its sums')
    const { entries, ...inBand } = found
    const isLast = index === parts.length - 1
    const last = part.at(-1)
    const times = { opensAt, closesAt: isLast || last === undefined ? closingTime(statement) : last.bookedAt }
    opensAt = times.closesAt
    return {
      account,
      accountNumber,
      number: index + 1,
      isLast,
      currency,
      entries: entries.map(({ amount, inBand, ...booking }) => ({
        ...booking,
        shown: { text: inBandText(amount), currency, inBand },
      })),
      exact: sums,
      inBand,
      fractionDigits,
      isShortened: fractionDigits !== mostDigits,
      ...times,
    }
  })
}

/** Splits entries into parts of at most `size`, the first of at most `first`; one empty part when there are none. */
function cut(entries: Booking[], first: number, size: number): Booking[][] {
  const parts = [entries.slice(0, first)]
  for (let start = first; start < entries.length; start += size) parts.push(entries.slice(start, start + size))
  return parts
}

/**
 * Returns pages of at most `entriesPerPage` entries, at least one page. An account cut by a page break continues with
 * its balance at the break. An account without entries counts as one entry, so that no page grows without bound.
 */
export function pagesOf({ accounts, ...statement }: StatementFacts, entriesPerPage = 500): Page[] {
  const pages: Piece[][] = [[]]
  let room = entriesPerPage
  accounts.forEach((account, index) => {
    if (room === 0) {
      pages.push([])
      room = entriesPerPage
    }
    for (const piece of piecesOf(statement, index + 1, account, cut(account.entries, room, entriesPerPage))) {
      if (piece.number > 1) {
        pages.push([])
        room = entriesPerPage
      }
      pages.at(-1)?.push(piece)
      room -= Math.max(piece.entries.length, 1)
    }
  })
  return pages.map((pieces, index) => ({ statement, number: index + 1, count: pages.length, pieces }))
}
