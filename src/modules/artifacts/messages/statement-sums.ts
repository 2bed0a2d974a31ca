// The arithmetic of statements: amounts as integers, in units of the last digit that is kept.
import type { Facts } from '../facts.ts'
import { inBandAmount } from '../slots.ts'
import type { Side } from './entry.ts'

export type Booking = { facts: Facts; side: Side }

/** opening + credits - debits = closing. Only the balances can be negative. */
export type Sums = { opening: bigint; credits: bigint; debits: bigint; closing: bigint }

/** Fraction digits of an amount in a message, and of an amount itself. */
const inBandScale = 5
const exactScale = 18

/** `'-1.5'` at scale 5 to -150000n. */
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

/** Without its sign: in messages CdtDbtInd says that. */
export const inBandText = (value: bigint): string => decimal(value, inBandScale).replace('-', '')

/** Whether the numbers in the message are the exact ones. */
export const isWhole = (inBand: Sums, exact: Sums): boolean => {
  const unit = 10n ** BigInt(exactScale - inBandScale)
  return (['opening', 'credits', 'debits', 'closing'] as const).every(name => inBand[name] * unit === exact[name])
}

export type Account = {
  /** Credits less debits so far. */
  opening: bigint
  amountOf(booking: Booking): bigint
}

/** Gives the sums of one part after another, each opening with the balance the one before closed with. */
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

/** Whether every number a message says of these has at most 18 digits. */
const fits = ({ opening, credits, debits, closing }: Sums): boolean =>
  [opening, closing, credits, debits, credits + debits, credits - debits].every(
    value => inBandText(value).replace('.', '').length <= 18,
  )

/**
 * An account as its messages show it, such that a reader who adds up the entries gets every sum to the last digit.
 * Sums can need more than the 18 digits there are where no amount does. Then the opening balance and every amount of
 * the account are truncated toward zero, as a single amount is, to the most fraction digits with which all sums of all
 * parts fit; where integers alone do not, all are 0. The message then says so in words, and the exact values stand in
 * OnChainStatement and OnChainPayment. The opening balance is then not the closing one of the statement before.
 */
export function inBandAccount(
  opening: string,
  parts: Booking[][],
): Account & {
  /** What is kept: 5 digits in most accounts; null where all is 0. */
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
