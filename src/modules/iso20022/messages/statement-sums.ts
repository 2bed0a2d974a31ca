// The arithmetic of statements: amounts as integers, in units of the last digit that is kept.
import type { Facts } from '../facts.ts'
import { inBandAmount } from '../slots.ts'
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
const inBandScale = 5
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

/** Returns whether the sums in the standard slots equal the exact sums. */
export const isWhole = (inBand: Sums, exact: Sums): boolean => {
  const unit = 10n ** BigInt(exactScale - inBandScale)
  return (['opening', 'credits', 'debits', 'closing'] as const).every(name => inBand[name] * unit === exact[name])
}

export type Account = {
  /** Credits less debits before the first part. */
  opening: bigint
  amountOf(booking: Booking): bigint
}

/** Returns a function that sums one part after another; each opens with the closing balance of the part before. */
export function running({ opening, amountOf }: Account): (part: Booking[]) => Sums {
  let balance = opening
  return part => {
    const total = (side: Side) =>
      part.reduce((sum, booking) => (booking.side === side ? sum + amountOf(booking) : sum), 0n)
    const sums = { opening: balance, credits: total('CRDT'), debits: total('DBIT') }
    balance += sums.credits - sums.debits
    return { ...sums, closing: balance }
  }
}

export const exactAccount = (opening: string): Account => ({
  opening: units(opening, exactScale),
  amountOf: ({ facts }) => units(facts.receipt.amount, exactScale),
})

/** Returns whether every number that a message states for these sums has at most 18 digits. */
const fits = ({ opening, credits, debits, closing }: Sums): boolean =>
  [opening, closing, credits, debits, credits + debits, credits - debits].every(
    value => inBandText(value).replace('.', '').length <= 18,
  )

/**
 * Returns an account as its messages show it, so that the entries add up exactly to every sum. A sum can need
 * more than the 18 digits of a slot although no amount does. Then the opening balance and every amount of the account
 * are truncated toward zero, as a single amount is, to the most fraction digits with which all sums of all parts fit;
 * if even integers do not fit, all are 0. The message then says so in words, OnChainStatement and OnChainPayment have
 * the exact values, and the opening balance differs from the closing balance of the previous statement.
 */
export function inBandAccount(
  opening: string,
  parts: Booking[][],
): Account & {
  /** The fraction digits that are kept: 5 in most accounts; null where all amounts are 0. */
  fractionDigits: number | null
} {
  for (let fractionDigits = inBandScale; fractionDigits >= 0; fractionDigits -= 1) {
    const unit = 10n ** BigInt(inBandScale - fractionDigits)
    const kept = (text: string) => (units(text, inBandScale) / unit) * unit
    const account: Account = {
      opening: kept(opening),
      amountOf: ({ facts }) => kept(inBandAmount(facts.receipt.amount).text),
    }
    if (parts.map(running(account)).every(fits)) return { ...account, fractionDigits }
  }
  return { opening: 0n, amountOf: () => 0n, fractionDigits: null }
}
