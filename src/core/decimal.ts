// Exact arithmetic on plain decimal strings, for rates. A result that cannot be exact is rounded once, half to even.
import { plainAmount } from './amount.ts'

/** Significant digits of a rate that is computed from others: more than any source returns. */
export const rateDigits = 18

const written = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/
// Limits the numbers of untrusted input, because a short exponent can stand for a very long number.
const longestText = 128
const bounded = /^\d{1,40}(?:\.\d{1,40})?$/

/**
 * Converts a JSON number, or a decimal in the same form, to its plain form: `'1.50e-3'` to `'0.0015'`, exactly. Null
 * when the text is not a number, is negative, or has more than 40 digits on a side of the point.
 */
export function plainDecimal(text: string): string | null {
  const match = text.length <= longestText ? written.exec(text) : null
  if (match === null) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  const plain = fromUnits(BigInt(whole + fraction), fraction.length - Number(exponent))
  return bounded.test(plain) ? plain : null
}

/** Converts `(1234n, 2)` to `'12.34'`; `units` must not be negative. */
export function fromUnits(units: bigint, places: number): string {
  if (units < 0n) throw new RangeError('a negative decimal')
  if (places <= 0) return String(units * 10n ** BigInt(-places))
  const digits = String(units).padStart(places + 1, '0')
  return plainAmount(`${digits.slice(0, -places)}.${digits.slice(-places)}`)
}

function toUnits(plain: string): { units: bigint; places: number } {
  if (!/^\d+(\.\d+)?$/.test(plain)) throw new RangeError('not a plain decimal')
  const [whole = '', fraction = ''] = plain.split('.')
  return { units: BigInt(whole + fraction), places: fraction.length }
}

/** Compares two plain decimals exactly. */
export function isAtLeast(a: string, b: string): boolean {
  const [x, y] = [toUnits(a), toUnits(b)]
  return x.units * 10n ** BigInt(y.places) >= y.units * 10n ** BigInt(x.places)
}

/** Multiplies two plain decimals exactly. */
export function product(a: string, b: string): string {
  const [x, y] = [toUnits(a), toUnits(b)]
  return fromUnits(x.units * y.units, x.places + y.places)
}

/** Rounds to `fractionDigits` digits after the point, half to even. */
export function roundedTo(plain: string, fractionDigits: number): string {
  const { units, places } = toUnits(plain)
  if (places <= fractionDigits) return fromUnits(units, places)
  const divisor = 10n ** BigInt(places - fractionDigits)
  return fromUnits(halfToEven(units, divisor), fractionDigits)
}

function halfToEven(top: bigint, bottom: bigint): bigint {
  const whole = top / bottom
  const twiceRest = (top % bottom) * 2n
  return twiceRest > bottom || (twiceRest === bottom && whole % 2n === 1n) ? whole + 1n : whole
}

/** Divides to `digits` significant digits, half to even. With `'1'` as `a` it returns the inverse of `b`. */
export function quotient(a: string, b: string, digits: number): string {
  const [x, y] = [toUnits(a), toUnits(b)]
  if (y.units === 0n) throw new RangeError('division by zero')
  if (x.units === 0n) return '0'
  const numerator = x.units * 10n ** BigInt(y.places)
  const denominator = y.units * 10n ** BigInt(x.places)
  const divide = (places: number) => {
    const [top, bottom] =
      places >= 0 ? [numerator * 10n ** BigInt(places), denominator] : [numerator, denominator * 10n ** BigInt(-places)]
    return { top, bottom }
  }
  // The lengths determine the size of the quotient to within one digit.
  let places = digits - (String(numerator).length - String(denominator).length)
  const first = divide(places)
  if (String(first.top / first.bottom).length > digits) places -= 1
  const { top, bottom } = divide(places)
  return fromUnits(halfToEven(top, bottom), places)
}

export const isAboveZero = (plain: string): boolean => /[1-9]/.test(plain)
