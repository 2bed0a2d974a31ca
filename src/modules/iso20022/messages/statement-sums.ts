// The arithmetic of statements: amounts as integers, in units of the last digit that is kept.
import type { Facts } from '../facts.ts'
import { amountDigits, type InBand, inBandAmount, slotFraction } from '../slots.ts'
import type { Side } from './entry.ts'

export type Booking = {
  facts: Facts
  side: Side
  /** When the service knew the payment as anchored and settled, and not before the statement's period. */
  bookedAt: Date
}

/** opening + credits - debits = closing. Only the balances can be negative. */
export type Sums = { opening: bigint; credits: bigint; debits: bigint; closing: bigint }

/** Fraction digits of an amount in the standard slots of a message, and of an exact amount. */
const inBandScale = slotFraction
const exactScale = 18

/** Returns the decimal in units: `'-1.5'` at scale 5 is -150000n. */
function units(decimal: string, scale: number): bigint {
  const [integer = '0', fraction = ''] = decimal.replace('-', '').split('.')
  const size = BigInt(integer + fraction.slice(0, scale).padEnd(scale, '0'))
  return decimal.startsWith('-') ? -size : size
}

function decimal(value: bigint, scale: number): string {
  const digits = `${value < 0n ? -value : value}`.padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`
}

export const exactText = (value: bigint): string => decimal(value, exactScale)

/** Returns the amount without its sign, which CdtDbtInd states in messages. */
export const inBandText = (value: bigint): string => decimal(value, inBandScale).replace('-', '')

const names = ['opening', 'credits', 'debits', 'closing'] as const

/** Returns whether the sums in the standard slots equal the exact sums. */
export const isWhole = (inBand: Sums, exact: Sums): boolean =>
  names.every(name => inBand[name] * 10n ** BigInt(exactScale - inBandScale) === exact[name])

const sumOf = <Item>(items: readonly Item[], amountOf: (item: Item) => bigint): bigint =>
  items.reduce((sum, item) => sum + amountOf(item), 0n)

/** Returns the exact sums of one part after another; each opens with the closing balance of the part before. */
export function exactSums(opening: string, parts: readonly Booking[][]): Sums[] {
  let balance = units(opening, exactScale)
  return parts.map(part => {
    const total = (side: Side) =>
      sumOf(part, booking => (booking.side === side ? units(booking.facts.receipt.amount, exactScale) : 0n))
    const sums = { opening: balance, credits: total('CRDT'), debits: total('DBIT') }
    balance += sums.credits - sums.debits
    return { ...sums, closing: balance }
  })
}

/** The part of an account on one page, as its message shows it: opening + credits - debits = closing. */
export type ShownPart = {
  sums: Sums
  entries: (Booking & { amount: bigint; inBand: InBand })[]
  /**
   * The part of the balances that the cut amounts lack, credited or, below zero, debited by an entry of its own; 0
   * where nothing is lacking.
   */
  remainder: bigint
  /** Payments that are too small for an entry. Their amounts are in the remainder. */
  small: Booking[]
}

/** Returns the exact balance, cut toward zero to these fraction digits; one that is not 0 stays above 0 or below. */
function shownBalance(exact: bigint, fractionDigits: number): bigint {
  const [size, sign] = exact < 0n ? [-exact, -1n] : [exact, 1n]
  const unit = 10n ** BigInt(exactScale - fractionDigits)
  const least = exact === 0n ? 0n : 1n
  const kept = size / unit > least ? size / unit : least
  return sign * kept * 10n ** BigInt(inBandScale - fractionDigits)
}

const signed = (side: Side, amount: bigint): bigint => (side === 'DBIT' ? -amount : amount)

/** Returns the part between two balances, whose entries and remainder add up to their difference. */
function shownPart(part: readonly Booking[], exact: Sums, fractionDigits: number): ShownPart {
  const all = part.map(booking => {
    const { text, inBand } = inBandAmount(booking.facts.receipt.amount, fractionDigits)
    return { ...booking, amount: units(text, inBandScale), inBand }
  })
  const [opening, closing] = [shownBalance(exact.opening, fractionDigits), shownBalance(exact.closing, fractionDigits)]
  const lacking = (entries: typeof all) => closing - opening - sumOf(entries, entry => signed(entry.side, entry.amount))
  const large = all.filter(({ inBand }) => inBand !== 'raised')
  // Without an entry of the remainder, the small payments need entries of their own.
  const entries = lacking(large) === 0n ? all : large
  const remainder = lacking(entries)
  const total = (side: Side) =>
    sumOf(entries, entry => (entry.side === side ? entry.amount : 0n)) +
    (side === (remainder < 0n ? 'DBIT' : 'CRDT') ? signed(side, remainder) : 0n)
  return {
    sums: { opening, credits: total('CRDT'), debits: total('DBIT'), closing },
    entries,
    remainder,
    small: entries === all ? [] : all.filter(({ inBand }) => inBand === 'raised'),
  }
}

/** Returns whether every number that a message states for these sums has at most 18 digits. */
const fits = ({ sums: { opening, credits, debits, closing }, remainder }: ShownPart): boolean =>
  [opening, closing, credits, debits, credits + debits, credits - debits, remainder].every(
    value => inBandText(value).replace('.', '').length <= amountDigits,
  )

const limit = (10n ** BigInt(amountDigits) - 1n) * 10n ** BigInt(inBandScale)
const limited = (balance: bigint): bigint => (balance > limit ? limit : balance < -limit ? -limit : balance)

/**
 * Returns an account as its messages show it. Balances are the exact balances, cut; so cuts do not add up, and a
 * statement opens with the closing balance of the one before. Every amount has at most `fractionDigits` digits after
 * the point. Where a sum would need more than the 18 digits of a slot, all have fewer; if even integers do not fit,
 * there are no sums and no remainder, and the balances are the largest that fit (`fractionDigits` null).
 */
export function shownAccount(
  parts: readonly Booking[][],
  exact: readonly Sums[],
  fractionDigits: number,
): { parts: ShownPart[]; fractionDigits: number | null } {
  const shown = (digits: number) =>
    parts.flatMap((part, index) => {
      const sums = exact[index]
      return sums === undefined ? [] : [shownPart(part, sums, digits)]
    })
  for (let digits = fractionDigits; digits >= 0; digits -= 1) {
    const found = shown(digits)
    if (found.every(fits)) return { parts: found, fractionDigits: digits }
  }
  const whole = shown(0).map(({ sums, entries, small }) => {
    const raised = small.map(booking => ({ ...booking, amount: 10n ** BigInt(inBandScale), inBand: 'raised' as const }))
    const [opening, closing] = [limited(sums.opening), limited(sums.closing)]
    return { sums: { ...sums, opening, closing }, entries: [...entries, ...raised], remainder: 0n, small: [] }
  })
  return { parts: whole, fractionDigits: null }
}
