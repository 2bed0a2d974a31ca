// Tests what every generator, and every decoder of a language model, can read of our schemas.
import { describe, expect, it } from 'vitest'
import { tools } from '../../rest/generated/tools.ts'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import webhooks from '../../rest/webhooks.json' with { type: 'json' }
import { clashesOf } from '../../src/rest/codegen/name-clashes.ts'

/** Every pattern in a document, outside of examples. */
function patternsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'example' || name === 'examples'
      ? []
      : name === 'pattern' && typeof part === 'string'
        ? [part]
        : patternsIn(part),
  )
}

/** Why RE2 (Go, and decoders of models) does not compile a pattern; null if it does. */
function faultOf(pattern: string): string | null {
  if (/\(\?(?!:)/.test(pattern)) return 'look-around, or a group with a name'
  if (/\\(?![dDsSwWxtnrbB.\\/()[\]{}^$*+?|-])/.test(pattern)) return 'an escape that RE2 does not know'
  if (/\\[1-9]/.test(pattern)) return 'a reference to a group'
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [
    Number(least),
    Number(most ?? 0),
  ])
  if (counts.some(count => count > 1_000)) return 'more than 1,000 repeats'
  return null
}

const faults = (value: unknown) => [...new Set(patternsIn(value))].flatMap(pattern => faultOf(pattern) ?? [])

describe('patterns', () => {
  it('of the OpenAPI document compile with RE2', () => {
    expect(patternsIn(openapi).length).toBeGreaterThan(50)
    expect(faults([openapi, webhooks])).toEqual([])
    // Generators make calls of webhooks that stand in the document of the service.
    expect(openapi).not.toHaveProperty('webhooks')
    expect(Object.keys(webhooks.webhooks).length).toBeGreaterThan(5)
  })

  it.each(tools.map(tool => [tool.name, tool] as const))('of the tool %s compile with RE2', (_, tool) => {
    expect(faults([tool.inputSchema, tool.outputSchema])).toEqual([])
  })

  it.each(['^(?=a)b$', '^(?!a)', '(?<=a)b', '^\\u0000$', '^a{0,4096}$', '(a)\\1'])('%s would be found', pattern => {
    expect(faults({ type: 'string', pattern })).toHaveLength(1)
  })

  it('accept and refuse what they did', () => {
    const { properties } = openapi.components.schemas.TipRecordRequest
    const amount = new RegExp(String((properties.amount as { pattern?: string }).pattern), 'u')
    for (const good of ['1', '0.1', '12.50', '0.000000000000000001', '00.10', '20000000000000000000'])
      expect([good, amount.test(good)]).toEqual([good, true])
    for (const bad of ['0', '0.0', '', '.5', '5.', '-1', '1e3', ' 1', '1,5', '0.00'])
      expect([bad, amount.test(bad)]).toEqual([bad, false])
    const text = new RegExp(String((properties.reference as { pattern?: string }).pattern), 'u')
    for (const good of ['a', ' a ', 'Zürich 5', '注文']) expect([good, text.test(good)]).toEqual([good, true])
    for (const bad of ['', ' ', 'a\u0000', 'a\tb', '\u0085']) expect([bad, text.test(bad)]).toEqual([bad, false])
  })
})

describe('operation ids', () => {
  const operations = Object.values(openapi.paths).flatMap(
    methods => Object.values(methods) as { operationId: string; 'x-sdk-method'?: string }[],
  )
  const schemas = Object.keys(openapi.components.schemas)

  it('clash with no schema in any of the names that generators make of them', () => {
    expect(operations.flatMap(({ operationId }) => clashesOf(operationId, schemas))).toEqual([])
    expect(clashesOf('refund', schemas)).toContain('RefundResponse')
  })

  it('are each given once, as are the names of methods', () => {
    const ids = operations.map(({ operationId }) => operationId.toLowerCase())
    expect(new Set(ids).size).toBe(ids.length)
    const methods = operations.map(operation => operation['x-sdk-method'] ?? operation.operationId)
    expect(new Set(methods).size).toBe(methods.length)
  })
})

it('descriptions name members and parameters as the document does', () => {
  const text = JSON.stringify([openapi.paths, openapi.components])
  // `assistEvents` is a subscription, and `errorReason` a member of x402 itself.
  const named = new Set([...text.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name]) => name))
  expect([...named].sort()).toEqual(['assistEvents', 'errorReason'])
})
