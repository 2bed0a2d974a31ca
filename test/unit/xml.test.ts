// The only code that writes text to XML: nothing is lost and nothing is malformed, whatever the text.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  endToEndId,
  inBandAmount,
  label35,
  quantityUnit,
  receiptUetr,
  walletId,
} from '../../src/modules/iso20022/slots.ts'
import { carryable, chunk, cut, el, isCarryable, writeXml } from '../../src/modules/iso20022/xml.ts'
import { anyAmount, anyText, hostileTexts } from '../kit/receipts.ts'
import { contentOf, withXml } from '../kit/xsd.ts'

const readBack = (text: string) =>
  withXml(writeXml(el('T', [el('x', text)])), document => {
    const [read] = document.find('/T/x')
    return read && contentOf(read)
  })

describe('text', () => {
  test.each(hostileTexts)('%j is read back as written', text => {
    expect(readBack(text)).toBe(carryable(text))
  })

  test('any text is read back as written, except characters that XML cannot represent', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(readBack(text)).toBe(carryable(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('each character that XML cannot represent becomes one U+FFFD', () => {
    expect(carryable('a\0b\ud800c\ufffed\r\n\t😀')).toBe('a\ufffdb\ufffdc\ufffdd\r\n\t😀')
    expect(isCarryable('a\r😀')).toBe(true)
    expect(isCarryable('a\udc00')).toBe(false)
  })

  test('a missing optional part writes nothing', () => {
    expect(writeXml(el('T', [null, el('a', '1')]))).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<T>\n  <a>1</a>\n</T>\n',
    )
  })
})

describe('cutting', () => {
  test('pieces join to the text, fit, and split no surrogate pair', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 140 }), (raw, size) => {
        const text = raw.toWellFormed()
        const pieces = chunk(text, size)
        expect(pieces.join('')).toBe(text)
        expect(pieces.every(piece => piece.length > 0 && piece.length <= size && piece.isWellFormed())).toBe(true)
        expect(cut(text, size)).toBe(pieces[0] ?? '')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('values of elements', () => {
  test('an amount is truncated toward zero, and never 0 unless it is', () => {
    const scaled = (amount: string) => {
      const [integer = '', fraction = ''] = amount.split('.')
      return BigInt(integer + fraction.padEnd(18, '0'))
    }
    fc.assert(
      fc.property(anyAmount, fc.integer({ min: 0, max: 5 }), (amount, digits) => {
        const { text, inBand } = inBandAmount(amount, digits)
        const [integer = '', fraction = ''] = text.split('.')
        expect(text).toMatch(/^\d+(\.\d+)?$/)
        expect(integer.length + fraction.length).toBeLessThanOrEqual(18)
        expect(fraction.length).toBeLessThanOrEqual(digits)
        expect(scaled(text) > 0n).toBe(true)
        const order = scaled(text) - scaled(amount)
        expect(inBand).toBe(order === 0n ? 'exact' : order < 0n ? 'truncated' : 'raised')
        const unit = 10n ** BigInt(18 - digits)
        if (inBand === 'raised') expect([scaled(text), scaled(amount) < unit]).toEqual([unit, true])
        if ((amount.split('.')[0]?.length ?? 0) <= 13) expect(-order < unit).toBe(true)
      }),
      { numRuns: 1000 },
    )
    expect(inBandAmount('12.5')).toEqual({ text: '12.5', inBand: 'exact' })
    expect(inBandAmount('12.5', 0)).toEqual({ text: '12', inBand: 'truncated' })
    expect(inBandAmount('0.5', 0)).toEqual({ text: '1', inBand: 'raised' })
    expect(inBandAmount('0.000009')).toEqual({ text: '0.00001', inBand: 'raised' })
    expect(inBandAmount('12345678901234567.89')).toEqual({ text: '12345678901234567.8', inBand: 'truncated' })
    expect(inBandAmount('1234567890123456789')).toEqual({ text: '9'.repeat(18), inBand: 'truncated' })
    expect(quantityUnit('0.12345678901234567')).toBe('0.12345678901234567')
    expect(quantityUnit('0.123456789012345678')).toBeNull()
  })

  test('a reference is used as EndToEndId where every system accepts it, and hashed otherwise', () => {
    expect(endToEndId("INV 2026/7 (a+b): it's, ok?.-")).toBe("INV 2026/7 (a+b): it's, ok?.-")
    const handled = ['/a', 'a/', 'a//b', ' a', 'a ', 'a_b', 'é', '', 'x'.repeat(36), `RH-${'0'.repeat(32)}`]
    for (const reference of handled) expect(endToEndId(reference)).toMatch(/^RH-[0-9a-f]{32}$/)
  })

  test('wallets, labels and UETRs keep their form where they are valid', () => {
    expect(walletId('TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW')).toEqual({
      id: 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW',
      scheme: 'WALLET',
    })
    expect(walletId('0x52908400098527886e0f7030069857d2e4169ee7').id).toMatch(/^W-[0-9a-f]{32}$/)
    expect(label35('CH-', 'base')).toBe('base')
    expect(label35('CH-', '\u0001')).toMatch(/^CH-[0-9a-f]{32}$/)
    expect(receiptUetr('7c9e6679-7425-40de-944b-e07fc1f90ae7')).toBe('7c9e6679-7425-40de-944b-e07fc1f90ae7')
    expect(receiptUetr('018f9e66-7425-70de-944b-e07fc1f90ae7')).toMatch(
      /^[0-9a-f-]{14}4[0-9a-f]{3}-[89ab][0-9a-f-]{16}$/,
    )
  })
})
