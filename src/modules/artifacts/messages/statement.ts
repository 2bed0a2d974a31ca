// What a statement says: the payments booked in a window, account by account, in pages.
import type { Organisation } from '../../settings/organisation.ts'
import { type Booking, exactAccount, inBandAccount, inBandText, running, type Sums } from './statement-sums.ts'

/** An account is one wallet, on which payments were received, one chain and one asset label. */
export type AccountFacts = {
  wallet: string
  chain: string
  currency: string
  /**
   * Credits less debits of all its earlier entries, as plain signed decimals: of their amounts, with at most 18
   * fraction digits, and of what `inBandAmount` makes of each, with at most 5.
   */
  opening: { exact: string; inBand: string }
  /** In the order they were booked. */
  entries: Booking[]
}

/** What each page says of the whole. */
export type StatementHead = {
  /** UUID. */
  id: string
  /** When it is made. */
  at: Date
  from: Date
  /** The first moment after the window. */
  to: Date
  /** As it is now; what the entries' own facts hold of it says how their payments are named. */
  organisation: Organisation
}

export type StatementFacts = StatementHead & { accounts: AccountFacts[] }

/** An account on one page: the whole of it, or the part between two page breaks. */
export type Piece = {
  account: Omit<AccountFacts, 'entries'>
  /** Which account of the statement, from 1; the same on all its pages. */
  accountNumber: number
  /** Which piece of the account, from 1. */
  number: number
  isLast: boolean
  entries: (Booking & {
    /** Its amount in the message. */
    shown: string
  })[]
  exact: Sums
  inBand: Sums
  /** Of amounts in the message: 5, or fewer in an account of large sums; null where every amount is 0. */
  fractionDigits: number | null
  /** When its balances were. */
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

/** The last millisecond of the window: readers take its date for the day of the statement. */
export const lastMoment = ({ to }: Pick<StatementHead, 'to'>): Date => new Date(to.getTime() - 1)

/** When the closing balances were: at the end of the window, or now where that is still to come. */
export function closingTime({ from, to, at }: StatementHead): Date {
  const end = Math.min(lastMoment({ to }).getTime(), at.getTime())
  return new Date(Math.max(end, from.getTime()))
}

const bookedAt = ({ facts }: Booking): Date => facts.anchor?.bookedAt ?? facts.receipt.createdAt

function piecesOf(statement: StatementHead, accountNumber: number, whole: AccountFacts, parts: Booking[][]) {
  const { entries: _, ...account } = whole
  const inBand = inBandAccount(account.opening.inBand, parts)
  const exactSums = running(exactAccount(account.opening.exact))
  const inBandSums = running(inBand)
  let opensAt = statement.from
  return parts.map((part, index): Piece => {
    const isLast = index === parts.length - 1
    const last = part.at(-1)
    const times = { opensAt, closesAt: isLast || last === undefined ? closingTime(statement) : bookedAt(last) }
    opensAt = times.closesAt
    return {
      account,
      accountNumber,
      number: index + 1,
      isLast,
      entries: part.map(booking => ({ ...booking, shown: inBandText(inBand.amountOf(booking)) })),
      exact: exactSums(part),
      inBand: inBandSums(part),
      fractionDigits: inBand.fractionDigits,
      ...times,
    }
  })
}

/** Parts of at most `size`, the first of at most `first`; one, empty, when there are no entries. */
function cut(entries: Booking[], first: number, size: number): Booking[][] {
  const parts = [entries.slice(0, first)]
  for (let start = first; start < entries.length; start += size) parts.push(entries.slice(start, start + size))
  return parts
}

/**
 * Pages of at most so many entries, at least one page. An account cut by a page break goes on with the balance it had
 * there. An account without entries counts as one entry, so that no page grows without bound.
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
