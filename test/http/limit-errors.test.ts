// The error of a refused GraphQL request names the limit, its figure, what the request has, and how to ask for less.
// docs/graphql.md has the same figures.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bodyLimits, documentLimits } from '../../src/core/request-limits.ts'
import { defaultQuotas } from '../../src/limits/policy.ts'
import { roomForAll, type Service, startService } from '../kit/service.ts'

let service: Service
beforeAll(async () => {
  // The clock is stopped in the middle of a minute; each minute has its own quota.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 60_000) * 60_000 + 30_000 })
  service = await startService({
    ROLES: 'api',
    TRUST_PROXY: '1',
    RATE_LIMITS: `${roomForAll},project=30,address=200,sign-in=4,answers-of-project=1,streams-of-address=1`,
    ANCHOR_CHAIN: 'eip155:31337',
    ANCHOR_RPC_URL: 'http://127.0.0.1:9',
    ANCHOR_CONTRACT: `0x${'11'.repeat(20)}`,
  })
})
afterAll(async () => {
  vi.useRealTimers()
  await service?.stop()
})

let addresses = 0
const anyAddress = () => `198.51.100.${++addresses}`

const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.api.call('POST', '/graphql', { body, headers: { 'X-Forwarded-For': anyAddress(), ...headers } })

const times = (count: number, text: string) =>
  Array.from({ length: count }, (_, n) => text.replaceAll('#', `${n}`)).join(' ')
const list =
  'receipts(first: 200) { nodes { id artifacts { nodes { type url } } anchors { anchorTx } refunds { nodes { id } } } }'
const verify = 'v#: verifyWallet(input: { message: "x", signature: "0x" }) { address }'

const advice = /(Ask|Send|Leave|Wait|Close) .*\.$/

describe('the error of a refused request', () => {
  it.each<[string, unknown, string, number | undefined]>([
    ['bytes', { query: '{ __typename }', variables: { x: 'x'.repeat(262_144) } }, 'payload_too_large', undefined],
    ['values', { query: '{ __typename }', variables: { x: Array(2_500).fill(0) } }, 'payload_too_large', undefined],
    ['tokens', { query: `{ ${times(2_000, 'me')} }` }, 'document_too_large', undefined],
    ['fields', { query: `{ ${times(501, '__typename')} }` }, 'document_too_large', 501],
    [
      'depth',
      { query: `{ receipt(id: "x") ${'{ refundOf '.repeat(20)} { id } ${'}'.repeat(20)} }` },
      'document_too_large',
      22,
    ],
    ['aliases', { query: `{ ${times(101, 'a#: __typename')} }` }, 'document_too_large', 101],
    ['aliasLength', { query: `{ ${'a'.repeat(150)}: __typename }` }, 'document_too_large', 150],
    ['directives', { query: `{ __typename ${times(101, '@skip(if: false)')} }` }, 'document_too_large', 101],
    ['overlaps', { query: `{ ${'__typename '.repeat(142)} }` }, 'document_too_large', 10_011],
    ['paidFields', { query: `{ ${times(3, 'p#: premiumFxRate { rate }')} }` }, 'invalid_graphql', 3],
    [
      'cost',
      { query: `{ __typename ${times(9, `l#: ${list}`)} }` },
      'document_too_costly',
      expect.any(Number) as number,
    ],
    ['sign-in', { query: `mutation { ${times(5, verify)} }` }, 'too_many_requests', 5],
    [
      'address',
      { query: `{ ${times(3, 'v#: verifyEvidence(anchorTx: "x") { errors }')} ${list} }` },
      'too_many_requests',
      expect.any(Number) as number,
    ],
  ])('names the limit %s', async (limit, body, code, actual) => {
    const { json } = await post(body)
    const [{ message, extensions }] = json.errors
    const maximum = { ...bodyLimits, ...documentLimits, 'sign-in': 4, address: 200 }[limit]
    expect(extensions).toMatchObject({ code, limit, maximum, ...(actual !== undefined && { actual }) })
    expect('actual' in extensions).toBe(actual !== undefined)
    if (actual !== undefined) expect(extensions.actual).toBeGreaterThan(extensions.maximum)
    expect(message).toContain(limit === 'paidFields' ? 'One paid field' : String(maximum))
    if (typeof extensions.actual === 'number') expect(message).toContain(String(extensions.actual))
    expect(message).toMatch(advice)
  })

  it('counts no further than a million what fragments expand to', async () => {
    const fragments = Array.from(
      { length: 28 },
      (_, n) => `fragment F${n + 1} on Receipt{a:refundOf{...F${n}}b:refundOf{...F${n}}}`,
    )
    const { json } = await post({ query: `{receipt(id:"x"){...F28}}fragment F0 on Receipt{id}${fragments.join('')}` })
    expect(json.errors[0].message).toContain('more than a million fields')
    expect(json.errors[0].extensions).toEqual({ code: 'document_too_large', limit: 'fields', maximum: 500 })
  })

  it('names the limit project, with what is left', async () => {
    const { key } = await service.api.project()
    const { json } = await post({ query: `{ ${list} }` }, { 'X-API-Key': key })
    expect(json.errors[0].extensions).toMatchObject({ limit: 'project', maximum: 30, remaining: expect.any(Number) })
    expect(json.errors[0].message).toMatch(advice)
  })

  it('names the limit streams-of-address', async () => {
    const from = { 'X-Forwarded-For': anyAddress() }
    const reserve = () => service.api.call('PUT', '/graphql/stream', { headers: from })
    expect((await reserve()).status).toBe(201)
    const { json } = await reserve()
    expect(json.errors[0].extensions).toEqual({
      code: 'too_many_requests',
      limit: 'streams-of-address',
      maximum: 1,
      actual: 2,
    })
    expect(json.errors[0].message).toMatch(advice)
  })

  it('names the limit answers-of-project', async () => {
    const { key } = await service.api.project()
    const query =
      'mutation ($label: String!) { createApiKey(input: { label: $label, role: VIEWER }) { apiKey { label } } }'
    const create = (label: string) =>
      post({ query, variables: { label: label.padEnd(200, 'x') } }, { 'X-API-Key': key, 'Idempotency-Key': label })
    await create('first')
    const { json } = await create('second')
    expect(json.errors[0].extensions).toMatchObject({
      code: 'too_many_requests',
      limit: 'answers-of-project',
      maximum: 1,
    })
  })
})

it('REST returns the error without the members of GraphQL', async () => {
  const { json } = await service.api.call('POST', '/v1/iso/verify', {
    body: { bundle_hash: 'x'.repeat(262_144) },
    headers: { 'X-Forwarded-For': anyAddress() },
  })
  expect(Object.keys(json)).toEqual(['detail', 'message', 'request_id'])
})

it('docs/graphql.md lists every limit with its figure', () => {
  const page = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| ([\d,]+) \|/gm)]
  const listed = Object.fromEntries(rows.map(([, name, figure]) => [name, Number(figure?.replaceAll(',', ''))]))
  expect(listed).toEqual({ ...bodyLimits, ...documentLimits, ...defaultQuotas })
})
