// Clients for earlier servers read the anchor transaction under its old name.
import { expect, it } from 'vitest'
import { z } from 'zod'
import openapi from '../../rest/openapi.json' with { type: 'json' }

const object = z.object({
  properties: z.record(z.string(), z.looseObject({})),
  required: z.array(z.string()).optional(),
})

/** Lists every schema with this member, at any depth, with its path. */
function withMember(name: string, value: unknown, place = ''): [string, z.output<typeof object>][] {
  if (typeof value !== 'object' || value === null) return []
  const { success, data } = object.safeParse(value)
  // An `anyOf` that requires one of the two names says nothing about their type.
  const isChoice = /\/anyOf\/\d+$/.test(place)
  const here: [string, z.output<typeof object>][] =
    success && !isChoice && name in data.properties ? [[place, data]] : []
  return [...here, ...Object.entries(value).flatMap(([key, inner]) => withMember(name, inner, `${place}/${key}`))]
}

it('every answer with ledger_txid also has flare_txid: always, of the same type, and marked as deprecated', () => {
  const found = withMember('ledger_txid', openapi)
  expect(found.map(([place]) => place.split('/').at(-1))).toEqual(
    expect.arrayContaining([
      'ReceiptResponse',
      'ReceiptEvent',
      'VerifyResponse',
      'ConfirmAnchorResponse',
      'PaymentResponse',
    ]),
  )
  for (const [, { properties, required = [] }] of found) {
    const { description: _, ...form } = properties.ledger_txid ?? {}
    expect(properties.flare_txid).toEqual({ ...form, deprecated: true, description: 'Older name of `ledger_txid`.' })
    expect(required.includes('flare_txid')).toBe(required.includes('ledger_txid'))
  }
  expect(withMember('flare_txid', openapi)).toHaveLength(found.length)
})
