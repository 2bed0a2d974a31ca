// Every kind of answer tells browsers what it may do.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminKey, apiBeside, type Service, startService } from '../kit/service.ts'

let service: Service
let secure: Service
let project: { id: string; key: string }
let receipt: string
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'silent' })
  secure = await startService({ ...apiBeside(service), PUBLIC_BASE_URL: 'https://evidence.example.com' })
  project = await service.api.project()
  receipt = (await service.api.record(project.key)).json.receipt_id
  await service.api.anchored(receipt)
})
afterAll(async () => {
  await secure.stop()
  await service.stop()
})

const nothing = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'"
const page = "default-src 'self';object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'"
const viewer = `${page};style-src 'self' 'unsafe-inline';img-src 'self' data:`
const file = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}
const names = [...Object.keys(always), 'content-security-policy', 'strict-transport-security', 'x-powered-by']
const securityOf = (headers: Headers) =>
  Object.fromEntries(names.flatMap(name => (headers.has(name) ? [[name, headers.get(name)]] : [])))

const query = (text: string) => ({ method: 'POST', body: JSON.stringify({ query: text }) })
const json = { 'Content-Type': 'application/json' }
const html = { Accept: 'text/html' }
const events = { Accept: 'text/event-stream' }

describe.each<[what: string, path: () => string, init: RequestInit, status: number, policy: string]>([
  ['JSON of REST', () => '/v1/ping', {}, 200, nothing],
  ['JSON of GraphQL', () => '/graphql', { ...query('{ ping }'), headers: json }, 200, nothing],
  ['JSON that yoga writes', () => '/graphql?query={ping}', { headers: json }, 200, nothing],
  ['a GraphQL error', () => '/graphql', { ...query('{ nowhere }'), headers: json }, 200, nothing],
  ['a page', () => '/', { headers: html }, 200, page],
  ['the page of a receipt', () => `/ui/receipt.html?rid=${receipt}`, { headers: html }, 200, page],
  ['a script of a page', () => '/ui/receipt.js', {}, 200, page],
  ['GraphiQL', () => '/graphql', { headers: html }, 200, viewer],
  ['the viewer of REST', () => '/docs', { headers: html }, 200, viewer],
  ['a script of a viewer', () => '/docs/docs.js', {}, 200, nothing],
  ['a file', () => `/files/${receipt}/pain001.xml`, {}, 200, file],
  ['a probe', () => '/livez', {}, 200, nothing],
  ['a redirect', () => `/receipt/nonsense`, { headers: html, redirect: 'manual' }, 307, nothing],
  ['no such path', () => '/nowhere', {}, 404, nothing],
  ['no such path of a browser', () => '/nowhere', { headers: html }, 404, nothing],
  ['no key', () => '/v1/auth/me', {}, 401, nothing],
  ['a wrong method', () => '/v1/ping', { method: 'DELETE' }, 405, nothing],
  [
    'a body that is too large',
    () => '/v1/iso/verify',
    { method: 'POST', body: ' '.repeat(40_000_000), headers: json },
    413,
    nothing,
  ],
  [
    'a preflight',
    () => '/v1/ping',
    { method: 'OPTIONS', headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' } },
    204,
    nothing,
  ],
  ['OPTIONS', () => '/v1/ping', { method: 'OPTIONS' }, 204, nothing],
  [
    'a tool call',
    () => '/mcp',
    { method: 'POST', body: '{}', headers: { ...json, Accept: 'application/json, text/event-stream' } },
    400,
    nothing,
  ],
])('%s', (_, path, init, status, policy) => {
  it('has the headers of its kind', async () => {
    const response = await fetch(service.base + path(), init)
    await response.body?.cancel()
    expect([response.status, securityOf(response.headers)]).toEqual([
      status,
      { ...always, 'content-security-policy': policy },
    ])
  })
})

it('a stream has them', async () => {
  const stop = new AbortController()
  const response = await fetch(`${service.base}/graphql/stream`, {
    ...query('subscription { receiptChanged { receipt { id } } }'),
    headers: { ...json, ...events, 'X-API-Key': project.key },
    signal: stop.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(securityOf(response.headers)).toEqual({ ...always, 'content-security-policy': nothing })
  stop.abort()
})

it('304 has them', async () => {
  const first = await fetch(`${service.base}/openapi.json`)
  await first.text()
  const again = await fetch(`${service.base}/openapi.json`, {
    headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
  })
  expect([again.status, securityOf(again.headers)]).toEqual([304, { ...always, 'content-security-policy': nothing }])
})

it('500 has them', async () => {
  await service.app.pool.query('alter table agents rename to elsewhere')
  const { status, headers } = await service.api.call('GET', '/v1/agents', { key: project.key })
  await service.app.pool.query('alter table elsewhere rename to agents')
  expect([status, securityOf(headers)]).toEqual([500, { ...always, 'content-security-policy': nothing }])
})

it('what Node refuses to read has them', async () => {
  const socket = connect(Number(new URL(service.base).port), '127.0.0.1')
  socket.end('GET / HTTP/1.1\r\nno header\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  for (const [name, value] of Object.entries(always)) expect(answer).toContain(`\r\n${name}: ${value}\r\n`)
})

it('a stored answer is replayed with them, and they are not stored with it', async () => {
  const headers = { 'Idempotency-Key': crypto.randomUUID(), 'X-API-Key': project.key, ...json }
  const mint = () => fetch(`${service.base}/v1/auth/api-keys`, { method: 'POST', headers, body: '{"label":"x"}' })
  await (await mint()).text()
  const again = await mint()
  expect([again.headers.get('idempotency-replayed'), securityOf(again.headers)]).toEqual([
    'true',
    { ...always, 'content-security-policy': nothing },
  ])
  const { rows } = await service.app.pool.query(
    `select count(*)::int as count from idempotent_requests where headers::text ilike '%security%'`,
  )
  expect(rows).toEqual([{ count: 0 }])
})

it('the embed alone may be framed, by pages that isolate themselves too', async () => {
  const { headers } = await service.api.call('GET', `/ui/embed.html?rid=${receipt}`)
  const { 'x-frame-options': _, ...others } = always
  expect(securityOf(headers)).toEqual({
    ...others,
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': page.replace("frame-ancestors 'none'", 'frame-ancestors *'),
  })
})

it('only a service behind TLS tells browsers to use TLS alone', async () => {
  const { headers } = await secure.api.call('GET', '/v1/ping', { key: adminKey })
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})
