// Requests that a newcomer gets wrong: each answer says what is wrong, in the form that the caller reads.
import { cpuUsage } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let key: string
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  key = (await service.api.project()).key
})
afterAll(() => service?.stop())

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(service.base + path, { redirect: 'manual', ...init })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: /^[{[]/.test(text) ? JSON.parse(text) : null,
  }
}
const page = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('GET /graphql', () => {
  it.each(['*/*', 'application/json'])('without a document is refused with 400, also for %s', async Accept => {
    for (const path of ['/graphql', '/graphql?query=', '/graphql?variables={}']) {
      const { status, json } = await ask(path, { headers: { Accept } })
      expect([status, json.errors[0].extensions.code]).toEqual([400, 'invalid_graphql'])
      expect(json.errors[0].message).toMatch(/^Send `query` or `documentId`/)
    }
  })

  it('and HEAD have the same status for a browser', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask('/graphql', { method, headers: page })
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    }
  })
})

it.each(['PUT', 'PATCH', 'DELETE'])('%s /graphql is refused with the methods that there are', async method => {
  const { status, headers, json } = await ask('/graphql', { method })
  expect((await ask('/graphql', { method: 'HEAD' })).status).toBe(405)
  expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS'])
  expect(json.errors[0].extensions.code).toBe('method_not_allowed')
})

it('the refusals of the event streams have a code', async () => {
  const code = async (init: RequestInit) => {
    const { status, json } = await ask('/graphql/stream', init)
    return [status, json.errors[0].extensions.code, json.errors[0].message]
  }
  const token = { 'X-GraphQL-Event-Stream-Token': 'none' }
  expect(await code({ method: 'DELETE', headers: token })).toEqual([404, 'not_found', 'Stream not found'])
  expect(await code({ headers: { Accept: 'text/event-stream' } })).toEqual([400, 'invalid_graphql', 'Missing query'])
  const reserving = { method: 'PUT', headers: { Accept: 'application/json' } }
  expect(await code(reserving)).toEqual([406, 'not_acceptable', expect.stringContaining('reserved stream')])
})

it('a link to a receipt with a wrong id opens the page, and for a program stays an error', async () => {
  const { status, headers } = await ask('/receipt/not%20a%3Cuuid', { headers: page })
  expect([status, headers.get('location')]).toEqual([307, '/ui/receipt.html?rid=not%20a%3Cuuid'])
  expect((await ask(headers.get('location') ?? '', { headers: page })).text).toContain('<html')
  expect(await ask('/receipt/not-a-uuid', { headers: { Accept: 'application/json' } })).toMatchObject({
    status: 422,
    json: { detail: [{ loc: ['path', 'rid'] }] },
  })
})

it.each(['ledger_txid', 'flare_txid'])('a fault in %s names it as it was sent', async name => {
  const body = { receipt_id: '11111111-2222-4333-8444-555555555555', [name]: '0x12' }
  const { status, json } = await service.api.call('POST', '/v1/iso/confirm-anchor', { key, body })
  expect([status, json.detail.map(({ loc }: { loc: unknown }) => loc)]).toEqual([422, [['body', name]]])
})

it('a body that its Content-Encoding does not describe is refused by name', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  const { status, json } = await ask('/v1/iso/verify', { method: 'POST', headers, body: '{}' })
  expect([status, json.detail, json.message]).toEqual([
    400,
    'invalid_json',
    'The body is not valid for its Content-Encoding.',
  ])
})

it.each(['first', 'last'])('a page with more entries than a page has is refused, and not cut: %s', async size => {
  for (const [list, maximum] of [
    ['receipts', 200],
    ['payments', 200],
  ] as const) {
    const answer = await service.api.graphql(`{ ${list}(${size}: 5000) { nodes { id } } }`, { key })
    expect(answer.errors).toMatchObject([
      { message: `A page has at most ${maximum} entries.`, extensions: { code: 'validation_failed' } },
    ])
    const largest = await service.api.graphql(`{ ${list}(${size}: ${maximum}) { nodes { id } } }`, { key })
    expect(largest.errors).toBeUndefined()
  }
})

it('the metrics count the time of the processor since the start, and not since the first scrape', async () => {
  const begun = cpuUsage()
  while (cpuUsage(begun).user < 100_000) JSON.stringify(page)
  const { text } = await service.api.call('GET', '/metrics', { key: adminKey })
  expect(Number(/^process_cpu_user_seconds_total (\S+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(0.1)
})
