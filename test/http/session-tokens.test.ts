// How a session's token is sent, at every interface, and how tokens and other values in its place are refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeToken } from '../../src/core/secrets.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { type Made, sessionOf } from '../kit/sessions.ts'

const frontEnd = 'https://dashboard.example'
let service: Service
let project: { id: string; key: string }
let session: Made
let ended: Record<string, string>
beforeAll(async () => {
  service = await startService({ ROLES: 'api', ALLOWED_ORIGINS: frontEnd })
  project = await service.api.project()
  session = await sessionOf(service, project.key, 'viewer')
  const [expired, revoked] = [await sessionOf(service, project.key), await sessionOf(service, project.key)]
  await service.app.pool.query('update sessions set expires_at = now() where id = $1', [expired.id])
  await service.app.pool.query('update sessions set revoked_at = now() where id = $1', [revoked.id])
  const typo = `${session.token.slice(0, -1)}${session.token.endsWith('0') ? '1' : '0'}`
  ended = { expired: expired.token, revoked: revoked.token, unknown: makeToken(), typo, short: 'qts_' }
})
afterAll(() => service.stop())

type Headers = Record<string, string>
const json = { 'Content-Type': 'application/json' }
const whoAmI = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who_am_i', arguments: {} } }
const events = { ...json, Accept: 'text/event-stream' }
const stream = JSON.stringify({ query: 'subscription { receiptChanged { cursor } }' })
const at = (path: string, init: RequestInit & { headers: Headers }) => fetch(service.base + path, init)
const withToken = { 'X-GraphQL-Event-Stream-Token': crypto.randomUUID() }

const interfaces: Record<string, (headers: Headers) => Promise<Response>> = {
  GraphQL: headers =>
    at('/graphql', {
      method: 'POST',
      headers: { ...json, ...headers },
      body: '{"query":"{ me { role project { id } } }"}',
    }),
  'a stream of one operation': headers =>
    at('/graphql/stream', { method: 'POST', headers: { ...events, ...headers }, body: stream }),
  'the reservation of a stream': headers =>
    at('/graphql/stream', { method: 'PUT', headers: { ...withToken, ...headers } }),
  'a stream of /graphql': headers =>
    at('/graphql', { method: 'POST', headers: { ...events, ...headers }, body: stream }),
  REST: headers => at('/v1/auth/me', { headers }),
  MCP: headers =>
    at('/mcp', {
      method: 'POST',
      headers: { ...json, Accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(whoAmI),
    }),
}
const names = Object.keys(interfaces)
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** Sends the request, and leaves the response if it is a stream. */
async function ask(name: string, headers: Headers) {
  const response = await interfaces[name]?.(headers)
  if (!response) throw new Error(name)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isStream ? '' : await response.text()
  if (isStream) await response.body?.cancel()
  return { status: response.status, text, challenge: response.headers.get('www-authenticate') }
}

describe.each(names)('%s', name => {
  it('accepts the token of a session', async () => {
    const { status, text } = await ask(name, bearer(session.token))
    expect(status).toBeLessThan(300)
    if (['GraphQL', 'REST', 'MCP'].includes(name)) expect(text).toMatch(/viewer/i)
    // The name of the scheme is not case-sensitive.
    expect((await ask(name, { Authorization: `bearer ${session.token}` })).status).toBe(status)
  })

  it('refuses expired, revoked, unknown and malformed tokens alike, with the challenge of RFC 6750', async () => {
    for (const [why, token] of Object.entries(ended)) {
      const { status, text, challenge } = await ask(name, bearer(token))
      expect([why, status]).toEqual([why, 401])
      expect(text).toContain('The session’s token is unknown, revoked or expired.')
      expect(text).toContain('unauthenticated')
      expect(challenge).toMatch(/^Bearer /)
    }
  })

  it('refuses a token beside an API key, also if both are valid', async () => {
    const { status, text } = await ask(name, { ...bearer(session.token), 'X-API-Key': project.key })
    expect([status, text]).toEqual([400, expect.stringContaining('malformed_request')])
  })

  it('refuses a token in X-API-Key, and says where it belongs', async () => {
    const { status, text } = await ask(name, { 'X-API-Key': session.token })
    expect([status, text]).toEqual([401, expect.stringContaining('Authorization: Bearer')])
  })
})

const elsewhere = names.filter(name => name !== 'MCP')

describe.each(elsewhere)('%s', name => {
  it('refuses an API key as a bearer token, and says where it belongs', async () => {
    const { status, text } = await ask(name, bearer(project.key))
    expect([status, text]).toEqual([401, expect.stringContaining('X-API-Key')])
    expect((await ask(name, bearer(adminKey))).status).toBe(401)
  })

  it('refuses any other bearer token, also an empty one', async () => {
    for (const Authorization of ['Bearer', 'Bearer x', 'Bearer a b', 'Bearer eyJ.eyJ.x'])
      expect([Authorization, (await ask(name, { Authorization })).status]).toEqual([Authorization, 401])
  })

  it('ignores what a proxy in front of the service may add beside an API key', async () => {
    for (const Authorization of ['Basic eDp5', 'Bearer eyJ.eyJ.x', 'Bearer'])
      expect((await ask(name, { Authorization, 'X-API-Key': project.key })).status).toBeLessThan(300)
  })
})

it('another scheme of Authorization is no credential', async () => {
  const { status } = await at('/v1/health', { headers: { Authorization: 'Basic eDp5' } })
  expect(status).toBe(200)
  expect((await ask('REST', { Authorization: 'Basic eDp5' })).text).toContain('Send an API key')
})

it('MCP still accepts an API key as a bearer token', async () => {
  expect((await ask('MCP', bearer(project.key))).text).toContain('project_admin')
})

it('a page of an allowed origin may send the token', async () => {
  const headers = {
    Origin: frontEnd,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type',
  }
  const preflight = await at('/graphql', { method: 'OPTIONS', headers })
  expect(preflight.headers.get('access-control-allow-origin')).toBe(frontEnd)
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
  const { headers: told } = await at('/graphql', {
    method: 'POST',
    headers: { ...json, ...bearer(ended.expired ?? ''), Origin: frontEnd },
    body: '{"query":"{ me { role } }"}',
  })
  expect(told.get('access-control-allow-origin')).toBe(frontEnd)
  expect(told.get('access-control-expose-headers')).toContain('WWW-Authenticate')
})

it('invalid tokens are limited as invalid keys are, and sign-ins by their signatures', async () => {
  const limited = await startService({ ROLES: 'api', RATE_LIMITS: 'failed-keys=3,sign-in=1' })
  const { key } = await limited.api.project()
  const { token } = await sessionOf(limited, key)
  const tell = async (sent: string) => (await limited.api.call('GET', '/v1/auth/me', { key: sent })).status
  // More than two minutes admit, because the minute may end meanwhile.
  const sent = Array.from({ length: 8 }, (_, index) => (index === 0 ? 'qts_x' : makeToken()))
  const statuses = await Promise.all(sent.map(tell))
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(await tell(token)).toBe(200)
  const query = `mutation { signIn(input: { message: "x", signature: "0x" }) { token } }`
  const signIn = async () => (await limited.api.call('POST', '/graphql', { body: { query } })).json.errors[0].extensions
  const codes = (await Promise.all(sent.map(signIn))).map(({ code }) => code)
  expect(new Set(codes)).toEqual(new Set(['validation_failed', 'too_many_requests']))
  await limited.stop()
})
