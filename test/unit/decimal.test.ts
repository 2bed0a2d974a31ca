// Rates are calculated exactly: every result is compared with the fraction of integers that it represents.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromUnits, isAboveZero, plainDecimal, product, quotient } from '../../src/core/decimal.ts'

type Fraction = { top: bigint; bottom: bigint }
const plainForm = /^(0|[1-9]\d*)(\.\d*[1-9])?$/
const ten = (power: number) => 10n ** BigInt(power)

/** Parses a decimal independently of the code under test. */
function fractionOf(text: string): Fraction {
  const [whole = '', fraction = ''] = text.split('.')
  return { top: BigInt(whole + fraction), bottom: ten(fraction.length) }
}
const equal = (a: Fraction, b: Fraction) => a.top * b.bottom === b.top * a.bottom
const significant = (plain: string) => plain.replace('.', '').replace(/^0+/, '').replace(/0+$/, '')

const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: ten(40) - 1n }), fc.nat(40))
  .map(([units, places]) => ({ text: fromUnits(units, places), units, places }))
const positive = decimal.filter(({ units }) => units > 0n)

describe('arithmetic', () => {
  test('a plain form represents exactly its units, and is the only form of its value', () => {
    fc.assert(
      fc.property(decimal, ({ text, units, places }) => {
        expect(text).toMatch(plainForm)
        expect(equal(fractionOf(text), { top: units, bottom: ten(places) })).toBe(true)
        expect(fromUnits(units * 1000n, places + 3)).toBe(text)
      }),
    )
    expect([fromUnits(5n, -3), fromUnits(0n, 8), fromUnits(1n, 0), fromUnits(10n, 1)]).toEqual(['5000', '0', '1', '1'])
    expect(() => fromUnits(-1n, 2)).toThrow(RangeError)
  })

  test('a product is exact, so that nothing is lost between two price feeds', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const found = product(a.text, b.text)
        expect(found).toMatch(plainForm)
        expect(equal(fractionOf(found), { top: a.units * b.units, bottom: ten(a.places + b.places) })).toBe(true)
      }),
    )
  })

  test('a quotient is rounded to the nearest value with its number of digits, and a tie to even', () => {
    fc.assert(
      fc.property(decimal, positive, fc.integer({ min: 1, max: 40 }), (a, b, digits) => {
        const found = quotient(a.text, b.text, digits)
        expect(found).toMatch(plainForm)
        expect(significant(found).length).toBeLessThanOrEqual(digits)
        if (a.units === 0n) {
          expect(found).toBe('0')
          return
        }
        const exact = { top: a.units * ten(b.places), bottom: b.units * ten(a.places) }
        // The unit of the last kept digit, as a fraction.
        const { top, bottom } = fractionOf(found)
        let power = 0
        while (exact.top * ten(power) < exact.bottom * ten(digits - 1)) power += 1
        while (power <= 0 && exact.top >= exact.bottom * ten(digits - power)) power -= 1
        const unit = power >= 0 ? { top: 1n, bottom: ten(power) } : { top: ten(-power), bottom: 1n }
        const away = top * exact.bottom - exact.top * bottom
        const twiceAway = (away < 0n ? -away : away) * 2n * unit.bottom
        const oneUnit = unit.top * bottom * exact.bottom
        expect(twiceAway <= oneUnit).toBe(true)
        // In a tie the last kept digit is even.
        if (twiceAway === oneUnit) expect(((top * unit.bottom) / (bottom * unit.top)) % 2n).toBe(0n)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['1', '3', 5, '0.33333'],
    ['2', '3', 5, '0.66667'],
    ['1', '0.02', 18, '50'],
    ['1', '8', 2, '0.12'],
    ['3', '8', 2, '0.38'],
    ['5', '2', 1, '2'],
    ['7', '2', 1, '4'],
    ['999', '1', 2, '1000'],
    ['0.9996', '1', 3, '1'],
    ['123456', '1', 2, '120000'],
    ['1', '0.000000000000000003', 4, '333300000000000000'],
    ['0', '7', 9, '0'],
  ])('%s / %s to %i digits is %s', (a, b, digits, result) => {
    expect(quotient(a, b, digits)).toBe(result)
  })

  test('inverting a short rate twice returns the same rate', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: ten(12) }), fc.nat(18), (units, places) => {
        const rate = fromUnits(units, places)
        expect(quotient(quotient('1', quotient('1', rate, 18), 18), '1', 12)).toBe(quotient(rate, '1', 12))
      }),
    )
  })

  test('a division by zero, or by a text that is no plain decimal, throws and never returns a rate', () => {
    expect(() => quotient('1', '0', 18)).toThrow(RangeError)
    for (const text of ['', '-1', '1e3', 'NaN', '.5', '1.', '1,5', ' 1', '0x10']) {
      expect(() => quotient('1', text, 18), text).toThrow(RangeError)
      expect(() => product(text, '1'), text).toThrow(RangeError)
    }
  })
})

describe('reading decimals that others write', () => {
  test.each([
    ['12.50', '12.5'],
    ['0.0', '0'],
    ['007', '7'],
    ['1e-7', '0.0000001'],
    ['1.5E+3', '1500'],
    ['1234567890123456789012345678901234567890', '1234567890123456789012345678901234567890'],
    ['0.1234567890123456789012345678901234567890', '0.123456789012345678901234567890123456789'],
    ['9007199254740993', '9007199254740993'],
  ])('%s is %s', (text, plain) => {
    expect(plainDecimal(text)).toBe(plain)
  })

  test.each([
    '',
    '-1',
    '+1',
    '-0',
    'NaN',
    'Infinity',
    '1e41',
    '1e999',
    '1e99999999999',
    '1e-999',
    '1.2.3',
    '1,000',
    ' 1',
    '1\n',
    '٣',
    '0x1f',
    '1'.repeat(41),
    `0.${'1'.repeat(41)}`,
    '1'.repeat(1_000_000),
  ])('a text that is no number or too long is null: %.20s', text => {
    expect(plainDecimal(text)).toBeNull()
  })

  test('every number that JSON can represent is read exactly or not at all', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), value => {
        const plain = plainDecimal(JSON.stringify(value))
        if (plain === null) {
          expect(value > 0 && (value < 1e-20 || value > 1e39)).toBe(true)
          return
        }
        expect(plain).toMatch(plainForm)
        expect(Number(plain)).toBe(value)
        expect(isAboveZero(plain)).toBe(value > 0)
      }),
    )
  })

  test('no text makes it throw or run long', () => {
    const pieces = fc.array(fc.constantFrom('0', '1', '.', 'e', 'E', '-', '+', '9'), { maxLength: 60 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map(all => all.join('')),
        ),
        text => {
          const plain = plainDecimal(text)
          if (plain !== null) expect(plain).toMatch(plainForm)
        },
      ),
    )
  })
})
