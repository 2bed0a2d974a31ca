// The request id of each answer leads to one line of the log, and no line holds what callers keep secret.
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSampled } from '../../src/core/sampling.ts'
import { type Child, startChild } from '../kit/child.ts'
import { type LogLine, linesOf } from '../kit/log-lines.ts'
import { adminKey, apiOf, freshDatabase, roomForAll, tipOf } from '../kit/service.ts'

let folder: string
let child: Child
let api: ReturnType<typeof apiOf>
let project: { id: string; key: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-log-'))
  child = await startChild({
    DATABASE_URL: await freshDatabase(),
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_API_KEYS: adminKey,
    LOG_LEVEL: 'info',
    FX_ECB_URL: 'off',
    RATE_LIMITS: `${roomForAll},failed-keys=4`,
  })
  api = apiOf(child.url())
  project = await api.project()
})
afterAll(async () => {
  await child.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

/** Returns the lines about a request, once there is one. */
async function linesAbout(requestId: string): Promise<LogLine[]> {
  const find = () => linesOf(child.said()).filter(line => line.msg === 'request' && line.requestId === requestId)
  await expect.poll(() => find().length).toBeGreaterThan(0)
  return find()
}

const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? ''
const post = (body: unknown, key?: string) => api.call('POST', '/graphql', { body, ...(key && { key }) })

describe('each refusal leaves one line with the request id of its answer', () => {
  it.each<[string, () => ReturnType<typeof api.call>, Partial<LogLine>]>([
    [
      'without a key, 401',
      () => api.call('POST', '/v1/iso/record-tip', { body: tipOf() }),
      { status: 401, codes: ['unauthenticated'], project: 'anonymous', route: '/v1/iso/record-tip', method: 'POST' },
    ],
    [
      'with an unknown key, 401',
      () => api.call('GET', '/v1/receipts', { key: 'qtk_unknown' }),
      { status: 401, codes: ['unauthenticated'], project: 'anonymous' },
    ],
    [
      'a viewer that writes, 403',
      async () => api.record(await api.key(project.key, 'viewer')),
      { status: 403, codes: ['forbidden'], project: expect.any(String) },
    ],
    [
      'no such receipt, 404',
      () => api.call('GET', '/v1/iso/receipts/6f1b7d0e-0000-4000-8000-000000000000', { key: project.key }),
      { status: 404, codes: ['not_found'], route: expect.stringMatching(/^\/v1\/iso\/receipts\/:\w+$/) },
    ],
    ['no such path, 404', () => api.call('GET', '/nothing/here'), { status: 404, codes: ['route_not_found'] }],
    [
      'a body that is too large, 413',
      () => api.call('POST', '/v1/iso/record-tip', { key: project.key, raw: `"${'a'.repeat(300_000)}"` }),
      { status: 413, codes: ['payload_too_large'] },
    ],
    [
      'a body with a mistake, 422',
      () => api.record(project.key, { amount: 'much' }),
      { status: 422, codes: ['validation_failed'], cost: 6 },
    ],
    [
      'a document that is not valid',
      () => post({ query: 'query Wrong { nothing }', operationName: 'Wrong' }),
      { codes: ['invalid_graphql'], route: '/graphql', operation: 'Wrong' },
    ],
    [
      'an answer with data and an error',
      () =>
        post({
          query: 'query Half { health { status } me { isAdmin } }',
        }),
      { status: 200, operation: 'Half', codes: expect.arrayContaining(['unauthenticated']) },
    ],
    [
      'a question without a model',
      () =>
        post(
          { query: 'mutation { assist(input: { messages: [{ role: USER, content: "Hello" }] }) { __typename } }' },
          project.key,
        ),
      { status: 200, codes: ['ai_disabled'] },
    ],
    [
      'an unpaid call, 402',
      () => api.call('POST', '/v1/x402/premium/verify-bundle', { body: {} }),
      { status: 402, codes: ['payment_required'] },
    ],
    [
      'too many keys that are unknown, 429',
      async () => {
        for (let tries = 0; tries < 4; tries++) await api.call('GET', '/v1/iso/receipts', { key: 'qtk_unknown' })
        return api.call('GET', '/v1/iso/receipts', { key: 'qtk_unknown' })
      },
      { status: 429, codes: ['too_many_requests'] },
    ],
    [
      'a tool of MCP that refuses',
      () =>
        api.call('POST', '/mcp', {
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'record_payment', arguments: {} } },
          headers: { Accept: 'application/json, text/event-stream' },
        }),
      { route: '/mcp', operation: 'record_payment', codes: ['unauthenticated'] },
    ],
  ])('%s', async (_, ask, line) => {
    const answer = await ask()
    const lines = await linesAbout(idOf(answer))
    expect(lines).toEqual([expect.objectContaining({ ...line, level: 30 })])
    expect(lines[0]).toMatchObject({ durationMs: expect.any(Number), bytes: expect.any(Number) })
    // Any caller can repeat it, so it leaves no other line, with a stack, beside its own.
    expect(linesOf(child.said()).filter(one => one.requestId === idOf(answer))).toHaveLength(1)
    if (answer.json?.request_id !== undefined) expect(answer.json.request_id).toBe(lines[0]?.requestId)
  })
})

it('a request that cannot be read leaves a line too', async () => {
  const socket = connect(Number(new URL(child.url()).port), '127.0.0.1')
  socket.end('GET / HTTP/1.1\r\nbad header\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += chunk
  const [, id = ''] = /x-request-id: (\S+)/i.exec(answer) ?? []
  expect(await linesAbout(id)).toMatchObject([{ status: 400, codes: ['malformed_request'], route: null }])
})

it('a success has its route, cost, project and operation, and the id and the trace that the caller sent', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { 'X-Request-ID': 'order-4711', traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const body = { query: 'query Mine { me { isAdmin } }' }
  await api.call('POST', '/graphql', { body, headers, key: project.key })
  expect(await linesAbout('order-4711')).toMatchObject([
    { status: 200, project: project.id, operation: 'Mine', cost: expect.any(Number), route: '/graphql', traceId },
  ])
})

it('an id or a trace that is not well formed is replaced', async () => {
  const headers = { 'X-Request-ID': 'a b', traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01' }
  const answer = await api.call('GET', '/v1/health', { headers })
  const [line] = await linesAbout(idOf(answer))
  expect(line?.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(line).not.toHaveProperty('traceId')
})

it('each line names host, process, roles and version', () => {
  for (const line of linesOf(child.said()))
    expect(line).toMatchObject({ hostname: expect.any(String), pid: child.process.pid, version: expect.any(String) })
})

it('no line holds a key, a signature, a document, a variable, a value or the token in a URL', async () => {
  const canary = (name: string) => `canary${name}`
  const asked = [
    () => api.call('GET', `/v1/iso/receipts?reference=${canary('query')}`, { key: `qtk_${canary('key')}` }),
    () => api.call('GET', `/v1/iso/receipts/${canary('path')}`, { key: project.key }),
    () => api.call('GET', `/${canary('nowhere')}?a=${canary('search')}`),
    () => api.call('GET', '/v1/iso/receipts', { headers: { Authorization: `Bearer qts_${canary('session')}` } }),
    () => api.call('GET', `/exports/${canary('export')}/receipts.csv?signature=${canary('link')}`),
    () =>
      api.record(project.key, { reference: canary('reference'), callback_url: `https://a.example/${canary('hook')}` }),
    () => api.record(project.key, { reference: canary('reference'), sender_wallet: canary('wallet') }),
    () => post({ query: `query A { a(b: "${canary('document')}") }` }, project.key),
    () =>
      post({
        query: 'query ($a: ID!) { receipt(id: $a) { id } }',
        variables: { a: canary('variable') },
      }),
    () => post({ query: '{ me { isAdmin } }', operationName: `${canary('operation')} and more` }),
    () => api.call('GET', `/graphql?query=${encodeURIComponent(`{ ${canary('get')} }`)}`),
    () => post({ documentId: canary('id') }),
    () =>
      api.call('POST', '/v1/x402/premium/verify-bundle', {
        body: { bundle_url: `https://a.example/${canary('bundle')}` },
        headers: { 'PAYMENT-SIGNATURE': Buffer.from(canary('payment')).toString('base64') },
      }),
    () =>
      post(
        {
          query: 'mutation ($i: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $i) { secret } }',
          variables: { i: { url: `https://a.example/${canary('endpoint')}?token=${canary('token')}`, types: [] } },
        },
        project.key,
      ),
    () =>
      api.call('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: canary('method'), params: { name: canary('tool') } },
      }),
    () =>
      api.call('POST', '/v1/iso/record-tip', {
        raw: canary('body'),
        key: project.key,
        headers: { 'Idempotency-Key': canary('idempotency') },
      }),
  ]
  for (const ask of asked) {
    const answer = await ask()
    await linesAbout(idOf(answer))
  }
  expect(child.said()).not.toMatch(/canary(?!method)/)
  expect(child.said()).not.toContain(project.key)
  expect(child.said()).not.toContain(adminKey)
})

it('of the successes a part is logged, and the same in each process', () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => `request-${n}`)
  const sampled = ids.filter(id => isSampled(id, 0.05))
  expect(sampled.length).toBeGreaterThan(400)
  expect(sampled.length).toBeLessThan(600)
  expect(ids.filter(id => isSampled(id, 0.1))).toEqual(expect.arrayContaining(sampled))
})
