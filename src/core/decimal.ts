// Exact arithmetic on plain decimal strings, for rates and amounts. A result that cannot be exact is rounded once, half
// to even.
import { Decimal } from 'decimal.js'

/** Significant digits of a rate that is computed from others: more than any source returns. */
export const rateDigits = 18

const rounding = Decimal.ROUND_HALF_EVEN
// With the highest precision of the library, a product is never rounded.
const Exact = Decimal.clone({ precision: 1e9, rounding })

const written = /^\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/
// Limits the numbers of untrusted input, because a short exponent can stand for a very long number.
const longestText = 128
const bounded = /^\d{1,40}(?:\.\d{1,40})?$/

/**
 * Converts a JSON number, or a decimal in the same form, to its plain form: `'1.50e-3'` to `'0.0015'`, exactly. Null
 * when the text is not a number, is negative, or has more than 40 digits on a side of the point.
 */
export function plainDecimal(text: string): string | null {
  if (text.length > longestText || !written.test(text)) return null
  const plain = new Exact(text).toFixed()
  return bounded.test(plain) ? plain : null
}

/** Converts `(1234n, 2)` to `'12.34'`; `units` must not be negative. */
export function fromUnits(units: bigint, places: number): string {
  if (units < 0n) throw new RangeError('a negative decimal')
  return new Exact(`${units}e${-places}`).toFixed()
}

/** Converts `('12.34', 2)` to `1234n`; null where the value is no whole number of these units. */
export function toUnits(plain: string, places: number): bigint | null {
  const units = exact(plain).times(`1e${places}`)
  return units.isInteger() ? BigInt(units.toFixed()) : null
}

/** The library would also read signs, exponents, other bases and NaN. */
function exact(plain: string): Decimal {
  if (!/^\d+(\.\d+)?$/.test(plain)) throw new RangeError('not a plain decimal')
  return new Exact(plain)
}

/** Compares two plain decimals exactly. */
export const isAtLeast = (a: string, b: string): boolean => exact(a).gte(exact(b))

/** Subtracts `b` from `a` exactly, down to zero. */
export const remainder = (a: string, b: string): string => (isAtLeast(b, a) ? '0' : exact(a).minus(exact(b)).toFixed())

/** Multiplies two plain decimals exactly. */
export const product = (a: string, b: string): string => exact(a).times(exact(b)).toFixed()

/** Rounds to `fractionDigits` digits after the point, half to even. */
export const roundedTo = (plain: string, fractionDigits: number): string =>
  exact(plain).toDecimalPlaces(fractionDigits).toFixed()

/** Divides to `digits` significant digits, half to even. With `'1'` as `a` it returns the inverse of `b`. */
export function quotient(a: string, b: string, digits: number): string {
  const divisor = exact(b)
  if (divisor.isZero()) throw new RangeError('division by zero')
  const Rounded = Decimal.clone({ precision: digits, rounding })
  return new Rounded(exact(a)).div(divisor).toFixed()
}

export const isAboveZero = (plain: string): boolean => /[1-9]/.test(plain)
