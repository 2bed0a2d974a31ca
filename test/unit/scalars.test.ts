// The custom scalars write only values of their form, and read no argument that is no text.
import { describe, expect, it } from 'vitest'
import { Prisma } from '../../src/generated/prisma/client.ts'
import { schema } from '../../src/graphql/schema.ts'
import * as scalars from '../../src/kit/scalars.ts'

const hash = `0x${'a1'.repeat(32)}`
const address = `0x${'b2'.repeat(20)}`

const hostile: unknown[] = [
  ...[null, undefined, true, Number.NaN, Number.POSITIVE_INFINITY, {}, [], [hash], Symbol.iterator, () => hash],
  ...['', ' ', '\u0000', '\ud800', '%n%n', '../../etc/passwd', '0x', 'NaN', 'null'],
  { toString: () => hash },
  { valueOf: () => 1 },
]

describe.each([
  ['Hash32', scalars.hash32, [hash], [hash.toUpperCase(), hash.slice(2), `${hash}0`, hash.slice(0, -1), `${hash}\n`]],
  [
    'Address',
    scalars.address,
    [address],
    [hash, address.toUpperCase(), ` ${address}`, `${address}\n`, address.slice(2)],
  ],
  [
    'URL',
    scalars.url,
    ['https://a.example/b?c=d#e', 'http://[::1]:8080/'],
    ['/path', 'a.example', 'https://', 'http://a b/'],
  ],
  ['Date', scalars.date, ['2024-02-29', '0001-01-01'], ['2023-02-29', '2026-1-1', '2026-01-01T00:00:00Z', '20260101']],
  ['Decimal', scalars.decimal, ['12.5', '0'], ['1e3', '.5', '5.', '0x10', '1,5', '--1', '1.2.3']],
] as const)('%s', (name, scalar, right, wrong) => {
  it('writes texts of its form unchanged', () => {
    for (const value of right) expect(scalar.coerceOutputValue(value)).toBe(value)
  })

  it('refuses to write anything else', () => {
    for (const value of [...wrong, ...hostile, 1, 1n, new Date(0)])
      expect(() => scalar.coerceOutputValue(value), String(value)).toThrow(`${name} cannot represent this value.`)
  })

  it('reads texts, whose rules are those of the field, and nothing else', () => {
    for (const value of [...right, ...wrong]) expect(scalar.coerceInputValue(value)).toBe(value)
    const refusal = name === 'Decimal' ? 'Send a decimal as a string, for instance "1.5".' : `${name} must be a string.`
    for (const value of hostile.filter(value => typeof value !== 'string'))
      expect(() => scalar.coerceInputValue(value), String(value)).toThrow(refusal)
  })
})

it('DateTime writes a valid Date in UTC with milliseconds', () => {
  expect(scalars.dateTime.coerceOutputValue(new Date('2026-01-31T12:00:00+02:00'))).toBe('2026-01-31T10:00:00.000Z')
  for (const value of [...hostile, new Date(Number.NaN), '2026-01-31T12:00:00.000Z', 0])
    expect(() => scalars.dateTime.coerceOutputValue(value)).toThrow('DateTime cannot represent this value.')
})

it('Decimal writes the decimals of the database without exponent', () => {
  expect(scalars.decimal.coerceOutputValue(new Prisma.Decimal('1e-18'))).toBe('0.000000000000000001')
  expect(scalars.decimal.coerceOutputValue('0012.500')).toBe('12.5')
})

it('BigInt and ChainId write whole numbers exactly, and are not for arguments', () => {
  expect(scalars.bigInt.coerceOutputValue(9_007_199_254_740_993n)).toBe('9007199254740993')
  expect(scalars.chainId.coerceOutputValue(11_297_108_109)).toBe(11_297_108_109)
  for (const value of [...hostile, '1', 1.5, -1, 0, 2 ** 53])
    expect(() => scalars.chainId.coerceOutputValue(value)).toThrow('ChainId cannot represent this value.')
  for (const value of [...hostile, '1', 1]) expect(() => scalars.bigInt.coerceOutputValue(value)).toThrow()
  for (const scalar of [scalars.bigInt, scalars.chainId, scalars.base64])
    expect(() => scalar.coerceInputValue('1')).toThrow('is no type of arguments.')
})

it('every custom scalar of the schema names its specification', () => {
  const own = Object.values(schema.getTypeMap()).filter(type => 'specifiedByURL' in type && !(type.name in builtIn))
  expect(own.length).toBeGreaterThan(9)
  for (const type of own)
    expect([type.name, type]).toEqual([
      type.name,
      expect.objectContaining({ specifiedByURL: expect.stringMatching(/^https:/) }),
    ])
})

const builtIn = { String: 1, ID: 1, Int: 1, Float: 1, Boolean: 1 }
