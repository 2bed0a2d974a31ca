// The OpenAPI document describes exactly the values that the service accepts: the same texts, no more and no fewer.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import { amount } from '../../src/core/amount.ts'
import { text } from '../../src/core/text.ts'

const odd = fc.constantFrom('\u0000', '\t', '\n', '\u001f', '\u007f', '\u0085', '\u009f', '\u00a0', ' ', 'ü', '🙂', '')
const anyWord = fc.array(fc.oneof(odd, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 6 })
const anyText = anyWord.map(parts => parts.join(''))
const digits = (most: number) => fc.array(fc.constantFrom('0', '1', '9'), { maxLength: most }).map(all => all.join(''))
const anyAmount = fc.tuple(digits(22), fc.constantFrom('', '.', '-', 'e'), digits(20)).map(parts => parts.join(''))

it.each<[string, z.ZodType, fc.Arbitrary<string>]>([
  ['a text', text(), anyText],
  ['an amount', amount, fc.oneof(anyAmount, anyText)],
])('%s', (_, schema, any) => {
  const { pattern = '' } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const form = RegExp(pattern, 'u')
  fc.assert(
    fc.property(any, value => {
      expect([value, form.test(value)]).toEqual([value, schema.safeParse(value).success])
    }),
    { numRuns: 2_000, seed: 31 },
  )
})

it('the OpenAPI document requires a body with at least one locator of a bundle', () => {
  expect(openapi.components.schemas.VerifyRequest).toMatchObject({ minProperties: 1 })
  expect(openapi.paths['/v1/iso/verify'].post.requestBody.required).toBe(true)
  expect(openapi.paths['/v1/iso/camt056/{rid}'].post.requestBody.required).toBe(false)
})
