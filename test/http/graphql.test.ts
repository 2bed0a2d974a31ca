// The GraphQL API under bad input: every error has a documented code, nothing internal is shown, and no request takes
// long.
import http from 'node:http'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/core/errors.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let project: { id: string; key: string }

beforeAll(async () => {
  service = await startService()
  project = await service.api.project()
})
afterAll(() => service.stop())

const post = (body: unknown, key?: string, path = '/graphql') =>
  service.api.call('POST', path, { body, ...(key && { key }) })

it.each([600, 6_000])('reports at most 50 mistakes of %i values', async count => {
  const query = 'query ($urls: [String!]) { premiumVerifyBundles(bundleUrls: $urls) { verified } }'
  const variables = `{"urls":[${Array(count).fill(1)}]}`
  const search = new URLSearchParams({ query, variables }).toString().replaceAll('%2C', ',')
  const { errors } = await (await fetch(`${service.base}/graphql?${search}`)).json()
  expect(errors.length).toBeLessThanOrEqual(51)
  expect(errors[0].extensions.code).toBe('invalid_graphql')
})

describe('a request that cannot be served', () => {
  const absent = '00000000-0000-4000-8000-000000000000'
  it.each<[string, unknown, string, number]>([
    ['an unknown field', { query: '{ nope }' }, 'invalid_graphql', 200],
    ['a syntax error', { query: '{' }, 'invalid_graphql', 200],
    ['a missing variable', { query: 'query ($id: ID!) { receipt(id: $id) { id } }' }, 'invalid_graphql', 200],
    ['a malformed id', { query: '{ receipt(id: "x") { id } }' }, 'validation_failed', 200],
    [
      'a cursor nobody gave',
      { query: '{ receipts(first: 1, after: "zzz") { nodes { id } } }' },
      'validation_failed',
      200,
    ],
    ['a negative page', { query: '{ receipts(first: -1) { nodes { id } } }' }, 'validation_failed', 200],
    [
      'too many aliases',
      { query: `{ ${Array.from({ length: 5000 }, (_, n) => `a${n}: __typename`).join(' ')} }` },
      'document_too_large',
      200,
    ],
    [
      'too many fields',
      { query: `{ ${Array.from({ length: 501 }, () => '__typename').join(' ')} }` },
      'document_too_large',
      200,
    ],
    [
      'too many verifications',
      {
        query: `{ ${Array.from({ length: 50 }, (_, n) => `a${n}: verifyEvidence(bundleHash: "0x${'1'.repeat(64)}") { errors }`).join(' ')} }`,
      },
      'document_too_costly',
      200,
    ],
    ['a body that is no object', null, 'invalid_graphql', 400],
    [
      'a subscription to nothing',
      { query: `subscription { receiptEvents(receiptId: "${absent}") { cursor } }` },
      'not_found',
      200,
    ],
  ])('%s', async (_, body, code, status) => {
    const { status: answered, json, text } = await post(body, project.key)
    const told = json ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null')
    expect(told.errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toContain(code)
    expect(answered).toBe(status)
    expect(Object.keys(errorCodes)).toContain(code)
    expect(text).not.toMatch(/node_modules|\.ts:|at async|select /)
  })

  it.each([
    ['first: -1', 'first'],
    ['last: -1', 'last'],
    ['first: 1, last: 1', 'last'],
    ['after: "a", before: "b"', 'before'],
  ])('names the wrong argument of a page with %s', async (args, argument) => {
    const { json } = await post({ query: `{ receipts(${args}) { totalCount } }` }, project.key)
    expect(json.errors[0].extensions).toMatchObject({ code: 'validation_failed', issues: [{ path: [argument] }] })
  })

  it.each([
    ['no credentials', null, '{ me { role } }', 'Send an API key in `X-API-Key`, or the token of a session'],
    [
      'a lower role',
      'viewer',
      '{ me { project { sessions { totalCount } } } }',
      'This needs a key with manage access.',
    ],
    ['no session to end', 'project', 'mutation { revokeSession(input: {}) { session { id } } }', 'Name a session by'],
  ] as const)('says what is missing: %s', async (_, role, query, message) => {
    const key = role ? await service.api.key(project.key, role) : undefined
    const { json } = await post({ query }, key)
    expect(json.errors[0].message).toContain(message)
  })

  it.each(['/graphql', '/graphql/stream'])('a wrong key is 401 unauthenticated at %s', async path => {
    const { status, json } = await post({ query: '{ __typename }' }, 'qtk_wrong', path)
    expect([status, json.errors[0].extensions.code]).toEqual([401, 'unauthenticated'])
  })

  it('without a key, what is public is answered beside an error for the rest', async () => {
    const recorded = await service.api.record(project.key)
    const query = `{ receipt(id: "${recorded.json.receipt_id}") { status project { name } } me { role } }`
    const { status, json } = await post({ query }, '')
    expect([status, json.data]).toEqual([200, { receipt: { status: expect.any(String), project: null }, me: null }])
    const places = json.errors.map(({ path, extensions }: { path: string[]; extensions: { code: string } }) => [
      path.join('.'),
      extensions.code,
    ])
    expect(places.sort()).toEqual([
      ['me', 'unauthenticated'],
      ['receipt.project', 'unauthenticated'],
    ])
    expect((await post({ query: '{ me { role } }' }, '')).status).toBe(401)
  })

  it.each(['/graphql', '/graphql/stream'])('a GET of %s writes nothing', async path => {
    const query = encodeURIComponent('mutation { createProject(input: { name: "x" }) { key } }')
    const headers = { Accept: 'text/event-stream, application/json' }
    const { text } = await service.api.call('GET', `${path}?query=${query}`, { key: adminKey, headers })
    expect(text).not.toContain('qtk_')
    expect(text).not.toMatch(/\.ts:|node_modules/)
  })
})

describe('keys', () => {
  const create = async (key: string, input: string) =>
    (
      await post(
        { query: `mutation { createApiKey(input: { label: "x", ${input} }) { apiKey { id expiresAt } key } }` },
        key,
      )
    ).json
  const revoke = async (key: string, id: string) =>
    (await post({ query: `mutation { revokeApiKey(input: { id: "${id}" }) { apiKey { revokedAt } } }` }, key)).json

  it('expire at their time', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const { data } = await create(project.key, `expiresAt: "${expiresAt}"`)
    expect(data.createApiKey.apiKey.expiresAt).toBe(expiresAt)
    const me = async () => (await post({ query: '{ me { role } }' }, data.createApiKey.key)).status
    expect(await me()).toBe(200)
    await service.app.pool.query('update api_keys set expires_at = now() where id = $1', [data.createApiKey.apiKey.id])
    await expect.poll(me).toBe(401)
  })

  it.each(['2020-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', 'tomorrow'])('cannot expire at %s', async moment => {
    expect((await create(project.key, `expiresAt: "${moment}"`)).errors[0].extensions.code).toBe('validation_failed')
  })

  it('are created and revoked by project_admin keys of their project and by administrators only', async () => {
    const other = await service.api.project('Other')
    for (const role of ['viewer', 'project'] as const) {
      const key = await service.api.key(project.key, role)
      expect((await create(key, '')).errors[0].extensions.code).toBe('forbidden')
    }
    expect((await create(other.key, `projectId: "${project.id}"`)).errors[0].extensions.code).toBe('not_found')
    const { data } = await create(project.key, '')
    expect((await revoke(other.key, data.createApiKey.apiKey.id)).errors[0].extensions.code).toBe('not_found')
    expect((await revoke(adminKey, data.createApiKey.apiKey.id)).errors).toBeUndefined()
  })

  it('the last project_admin key can only be revoked by a service administrator', async () => {
    const lonely = await service.api.project('Lonely')
    const { data } = await service.api.graphql('{ apiKeys { nodes { id } } }', { key: lonely.key })
    const [{ id }] = data.apiKeys.nodes
    expect((await revoke(lonely.key, id)).errors[0].extensions.code).toBe('last_admin_key')
    expect((await revoke(adminKey, id)).errors).toBeUndefined()
  })
})

describe('variables', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['in a directive', 'query ($id: ID!, $x: Boolean!) { receipt(id: $id) { id status @skip(if: $x) } }', { x: true }],
    [
      'in a directive on a relation',
      'query ($x: Boolean!) { projects { nodes { id statements(first: 1) @include(if: $x) { nodes { id } } } } }',
      { x: true },
    ],
    [
      'in arguments of a nested field',
      'query ($n: Int) { projects { nodes { statements(first: $n) { nodes { id } } } } }',
      { n: 2 },
    ],
    [
      'that are absent',
      'query ($n: Int, $a: String) { projects { nodes { statements(first: $n, after: $a) { nodes { id } } } } }',
      {},
    ],
    [
      'in a fragment',
      'query ($x: Boolean!) { projects { nodes { ...P } } } fragment P on Project { name @include(if: $x) }',
      { x: false },
    ],
    [
      'in a mutation',
      'mutation ($x: Boolean!) { generateStatement(input: {}) { statement { id count @include(if: $x) } } }',
      { x: true },
    ],
  ])('%s are accepted', async (_, query, variables) => {
    const { json } = await post(
      { query, variables: { id: '00000000-0000-4000-8000-000000000000', ...variables } },
      project.key,
    )
    expect(json.errors).toBeUndefined()
  })

  it('may contain a cursor that leads nowhere', async () => {
    const after = Buffer.from('GPC:S:x').toString('base64')
    const { json } = await post(
      { query: 'query ($a: String) { receipts(after: $a) { nodes { id } } }', variables: { after, a: after } },
      project.key,
    )
    expect(json.errors[0].extensions.code).toBe('validation_failed')
  })
})

describe('hostile requests', () => {
  const stream = (init: RequestInit, query = '') =>
    fetch(`${service.base}/graphql/stream${query}`, {
      ...init,
      headers: { Accept: 'text/event-stream', 'Content-Type': 'application/json' },
    })

  it.each<[string, RequestInit, string]>([
    ['an empty document', { method: 'POST', body: '{"query":""}' }, ''],
    ['a syntax error', { method: 'GET' }, '?query=%7B'],
    ['an unknown operation', { method: 'POST', body: '{"query":"{__typename}","operationName":"nope"}' }, ''],
    ['an operation name that is none', { method: 'POST', body: '{"query":"{__typename}","operationName":{}}' }, ''],
    ['two operations and no name', { method: 'POST', body: '{"query":"query A{__typename} query B{__typename}"}' }, ''],
    [
      'a mutation behind a thousand parameters',
      { method: 'GET' },
      `?${'a&'.repeat(1000)}query=mutation%7BcreateProject(input:%7Bname:%22x%22%7D)%7Bkey%7D%7D`,
    ],
  ])('%s on the stream is refused without a stack trace', async (_, init, query) => {
    const response = await stream(init, query)
    const text = await response.text()
    expect(response.status).toBeLessThan(500)
    expect(text).not.toMatch(/node_modules|\.ts:/)
    expect(text).not.toContain('qtk_')
  })

  it.each(['a b', '[', 'x:99999999', '%00'])('Host: %s', async host => {
    const { port } = new URL(service.base)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), '127.0.0.1', () => {
        const body = '{"query":"{__typename}"}'
        socket.write(
          `POST /graphql HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        )
      })
      let text = ''
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('end', () => resolve(text)).on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400)/)
    expect(answer).not.toMatch(/node_modules|\.ts:/)
  })

  it.each([
    'GPC:I:1',
    'GPC:N:abc',
    'GPC:N:1.5',
    'GPC:J:{"a":1}',
    'GPC:J:[1,2]',
    'GPC:D:2020',
    'GPC:S:\0',
    'GPC:I:9223372036854775808',
    'GPC:S:x',
  ])('a forged cursor: %s', async cursor => {
    const after = Buffer.from(cursor).toString('base64')
    for (const list of ['receipts', 'auditTrail']) {
      const { json } = await post(
        { query: `{ ${list}(first: 1, after: "${after}") { nodes { createdAt } } }` },
        project.key,
      )
      expect([list, json.errors?.[0].extensions.code ?? 'validation_failed']).toEqual([list, 'validation_failed'])
    }
  })

  it('an empty body', async () => {
    const { json } = await post({})
    expect(json.errors[0].extensions).toEqual({ code: 'invalid_graphql' })
  })

  it('a path that only resembles the stream', async () => {
    const { port } = new URL(service.base)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      http
        .request({ port, path: '/graphql/x/..\\stream', method: 'PUT' }, res => resolve(res.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(404)
  })
})
