// The REST API: its requests and answers, and that no request of an untrusted client causes a 500.
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiptId, serve, type TestServer } from '../kit/rest-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await serve()
})
afterAll(() => server[Symbol.asyncDispose]())

type Sent = { body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string>; method?: string }

async function call(path: string, { method = 'GET', body, headers }: Sent = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    headers: headers ?? {},
  })
  const text = await response.text()
  const json: unknown =
    text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}

const send = (path: string, body: string, headers: Record<string, string> = {}, method = 'POST') =>
  call(path, { method, body, headers: { 'Content-Type': 'application/json', ...headers } })

const post = (path: string, body: unknown, headers: Record<string, string> = {}, method = 'POST') =>
  send(path, JSON.stringify(body), headers, method)

const sound = { tip_tx_hash: '0xabc', amount: '12' }
const issue = (type: string, ...loc: (string | number)[]) => expect.objectContaining({ type, loc })
const only = (...issues: unknown[]) => ({ detail: issues })

/** Sends a request as raw bytes, for what no client library sends. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(server.url)
    const socket = connect(Number(port), hostname, () => socket.end(text))
    let answer = ''
    socket.on('data', chunk => (answer += chunk))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })

describe('answers', () => {
  it('are JSON with the value of the root field, its length and no ETag', async () => {
    const { status, headers, json } = await call(`/v1/receipts/${receiptId}`)
    expect([status, json]).toEqual([200, { id: receiptId, bundle_hash: null }])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('content-length')).toBe(String(JSON.stringify(json).length))
    expect(headers.get('etag')).toBeNull()
  })

  it('can be text, a redirect, or 404 where the root field is null', async () => {
    const ping = await call('/v1/ping')
    expect([ping.text, ping.headers.get('content-type')]).toEqual(['pong', 'text/plain; charset=utf-8'])
    const go = await call('/go')
    expect([go.status, go.headers.get('location'), go.text]).toEqual([307, 'http://elsewhere.test/a?b=%C3%BC', ''])
    expect(await call('/v1/receipts/99999999-2222-4333-8444-555555555555')).toMatchObject({
      status: 404,
      json: { detail: 'not_found' },
    })
  })

  it('have a header field in the header alone, so that a raw key is never in a body, a log or a cache', async () => {
    const { status, headers, json } = await call('/v1/keys', { method: 'POST' })
    expect([status, json]).toEqual([201, { id: receiptId }])
    expect([headers.get('x-api-key'), headers.get('cache-control')]).toEqual(['raw-key', 'no-store'])
  })

  it('can be a file: its bytes, inert in a browser, and 304 for a client that has them', async () => {
    const { headers, text } = await call('/files/a%22b%C3%BC.xml')
    expect(text).toBe('<bytes/>')
    expect(headers.get('content-type')).toBe('application/xml')
    expect(headers.get('content-length')).toBe('8')
    expect(headers.get('etag')).toBe('"0xabc"')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('content-disposition')).toBe(`inline; filename="a_b_.xml"; filename*=UTF-8''a%22b%C3%BC.xml`)
    expect(await call('/files/a', { headers: { 'If-None-Match': 'W/"x", "0xabc"' } })).toMatchObject({
      status: 304,
      text: '',
    })
    expect(await call('/files/a', { headers: { 'If-None-Match': '"0xdef"' } })).toMatchObject({ status: 200 })
    const bytes = await call('/files/a', { headers: { Accept: 'application/octet-stream' } })
    expect(bytes.headers.get('content-type')).toBe('application/octet-stream')
    const some = await call('/files/a', { headers: { Accept: 'application/octet-stream, application/xml' } })
    expect(some.headers.get('content-type')).toBe('application/xml')
    expect(some.headers.get('vary')).toBe('Accept')
    expect(await call('/files/none')).toMatchObject({ status: 404 })
  })

  it('to HEAD equal those to GET without the body', async () => {
    for (const path of ['/v1/ping', '/files/a', `/v1/receipts/${receiptId}`]) {
      const [head, get] = [await call(path, { method: 'HEAD' }), await call(path)]
      expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
        200,
        '',
        get.headers.get('content-length'),
      ])
    }
  })
})

describe('paths', () => {
  it('that do not exist are 404 as JSON, also with a trailing slash or in another case', async () => {
    for (const path of ['/nowhere', '/v1/nowhere', '/v1/ping/', '/V1/ping', '/v1/receipts//']) {
      expect(await call(path)).toMatchObject({ status: 404, json: { detail: 'route_not_found' } })
    }
  })

  it('that exist list their methods for another method, and for OPTIONS', async () => {
    const wrong = await call('/v1/receipts', { method: 'DELETE' })
    expect(wrong).toMatchObject({ status: 405, json: { detail: 'method_not_allowed' } })
    expect(wrong.headers.get('allow')).toBe('OPTIONS, POST')
    const options = await call('/v1/ping', { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  it('that cannot be decoded are 404, never 500', async () => {
    for (const path of ['/v1/receipts/%', '/v1/receipts/%zz', '/files/%c3%28', '/%ff']) {
      expect(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 404 /)
    }
    expect(server.logged).toEqual([])
  })

  it('with a malformed id are 422 with its place', async () => {
    expect(await call('/v1/receipts/1')).toMatchObject({
      status: 422,
      json: only(issue('uuid_parsing', 'path', 'rid')),
    })
    expect(await call('/files/a%00b')).toMatchObject({
      status: 422,
      json: only(issue('string_unicode', 'path', 'name')),
    })
  })
})

describe('query and headers', () => {
  it('have defaults, conversions and lists', async () => {
    expect((await call('/v1/seen')).json).toEqual({ scope: 'mine', page: 1, tags: null, live: null, label: null })
    expect(
      (await call('/v1/seen?scope=all&page=3&tags=a&tags=b%20c&live=1', { headers: { 'X-Label': 'x' } })).json,
    ).toEqual({
      scope: 'all',
      page: 3,
      tags: ['a', 'b c'],
      live: true,
      label: 'x',
    })
  })

  it('report every mistake at once, each with its place', async () => {
    const { status, json } = await call('/v1/seen?scope=ours&page=1.5&live=maybe&nothing=1&__proto__=1')
    expect(status).toBe(422)
    expect(json).toEqual(
      only(
        { loc: ['query', 'scope'], msg: "Input should be 'mine' or 'all'", type: 'enum' },
        issue('int_parsing', 'query', 'page'),
        issue('bool_parsing', 'query', 'live'),
        issue('extra_forbidden', 'query', 'nothing'),
        issue('extra_forbidden', 'query', '__proto__'),
      ),
    )
  })

  it('refuse a repeated value, an integer beyond 32 bits, and a parameter where there are none', async () => {
    expect((await call('/v1/seen?page=1&page=2')).json).toEqual(only(issue('multiple_values', 'query', 'page')))
    expect((await call('/v1/seen?page=4294967296')).json).toEqual(only(issue('int_parsing_size', 'query', 'page')))
    expect((await call('/v1/seen?page=')).json).toEqual(only(issue('int_parsing', 'query', 'page')))
    expect((await call('/v1/ping?x')).json).toEqual(only(issue('extra_forbidden', 'query', 'x')))
  })
})

describe('bodies', () => {
  it('reach the operation under their GraphQL names, nested ones too', async () => {
    const { status, json } = await post('/v1/receipts', {
      ...sound,
      parts: [{ part_name: 'a' }],
      extra: { any: [1, null] },
    })
    expect([status, json]).toEqual([200, { receipt_id: '0xabc' }])
  })

  it('report every mistake at once: wrong type, broken rule, missing and unknown members', async () => {
    const { status, json } = await post('/v1/receipts', {
      amount: 12,
      parts: [{ part_name: 'too long' }, { partName: 'a' }, 7],
      count: 1.5,
      flag: 'yes',
      __proto__x: 1,
      constructor: 1,
    })
    expect(status).toBe(422)
    expect(json).toMatchObject({
      detail: expect.arrayContaining([
        { loc: ['body', 'tip_tx_hash'], msg: 'Field required', type: 'missing' },
        issue('string_type', 'body', 'amount'),
        issue('missing', 'body', 'parts', 1, 'part_name'),
        issue('extra_forbidden', 'body', 'parts', 1, 'partName'),
        issue('model_attributes_type', 'body', 'parts', 2),
        issue('int_from_float', 'body', 'count'),
        issue('bool_type', 'body', 'flag'),
        issue('extra_forbidden', 'body', 'constructor'),
        issue('string_too_long', 'body', 'parts', 0, 'part_name'),
      ]),
    })
  })

  it('report broken field rules beside unreadable members, once each', async () => {
    const { json } = await post('/v1/receipts', { tip_tx_hash: 'x', unknown: 1 })
    expect(json).toEqual(
      only(
        issue('missing', 'body', 'amount'),
        issue('extra_forbidden', 'body', 'unknown'),
        issue('string_too_short', 'body', 'tip_tx_hash'),
      ),
    )
  })

  it('report a resolver’s error at the place where the caller wrote the value', async () => {
    const { status, json } = await post('/v1/receipts', { ...sound, amount: '0', parts: [{ part_name: 'long name' }] })
    expect([status, json]).toEqual([
      422,
      only(
        issue('string_pattern_mismatch', 'body', 'amount'),
        issue('string_too_long', 'body', 'parts', 0, 'part_name'),
      ),
    ])
  })

  it('with __proto__ have one more unknown field, and pollute nothing', async () => {
    const { status, json } = await send(
      '/v1/receipts',
      '{"tip_tx_hash":"0xabc","amount":"1","__proto__":{"polluted":true}}',
    )
    expect([status, json]).toEqual([422, only(issue('extra_forbidden', 'body', '__proto__'))])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('with null are refused where null has no meaning', async () => {
    expect((await post('/v1/receipts', { ...sound, amount: null })).json).toEqual(
      only(issue('string_type', 'body', 'amount')),
    )
    expect((await post('/v1/receipts', { ...sound, parts: null })).status).toBe(200)
  })

  it.each([
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
  ])('%s is no object', async (_, body) => {
    expect(await send('/v1/receipts', body)).toMatchObject({
      status: 422,
      json: only(issue('model_attributes_type', 'body')),
    })
  })

  it('that are empty are missing, unless nothing in them is required', async () => {
    expect(await send('/v1/receipts', '')).toMatchObject({
      status: 422,
      json: only({ loc: ['body'], msg: 'Field required', type: 'missing' }),
    })
    expect(await call('/v1/optional', { method: 'POST' })).toMatchObject({ status: 200, json: 'nothing' })
    expect(await post('/v1/optional', {})).toMatchObject({ status: 200 })
    expect(await call('/v1/keys', { method: 'POST' })).toMatchObject({ status: 201 })
  })

  it('with fields are refused by a route without fields', async () => {
    expect(await post('/v1/keys', { surprise: 1 })).toMatchObject({
      status: 422,
      json: only(issue('extra_forbidden', 'body', 'surprise')),
    })
  })

  it('of type JSON may be any JSON', async () => {
    for (const value of [[1, { a: null }], 'text', { deep: [[[]]] }]) {
      expect(await post('/v1/echo', value, {}, 'PUT')).toMatchObject({ status: 200, json: value })
    }
  })

  it('that are unreadable are 400: broken, not UTF-8, with a byte order mark inside, badly compressed', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const bodies = ['{', '{"a":1}x', "{'a':1}", '\u0000', '{\ufeff}', new Uint8Array([0x22, 0xff, 0x22])]
    for (const body of bodies)
      expect(await call('/v1/echo', { method: 'PUT', body, headers })).toMatchObject({
        status: 400,
        json: { detail: 'invalid_json' },
      })
    const squeezed = { ...headers, 'Content-Encoding': 'gzip' }
    expect(await call('/v1/echo', { method: 'PUT', body: 'no gzip', headers: squeezed })).toMatchObject({ status: 400 })
    expect(
      await call('/v1/echo', { method: 'PUT', body: new Uint8Array(gzipSync('[1]')), headers: squeezed }),
    ).toMatchObject({ status: 200 })
  })

  it('with NUL or lone surrogates, which PostgreSQL cannot store, are 422 at any place', async () => {
    expect((await send('/v1/receipts', '{"tip_tx_hash":"a\\u0000b","amount":"1"}')).json).toEqual(
      only(issue('string_unicode', 'body', 'tip_tx_hash')),
    )
    expect((await send('/v1/receipts', '{"tip_tx_hash":"abc","amount":"\\ud800"}')).json).toEqual(
      only(issue('string_unicode', 'body', 'amount')),
    )
    expect((await send('/v1/echo', '{"a":["\\u0000"]}', {}, 'PUT')).json).toEqual(only(issue('string_unicode', 'body')))
    expect((await send('/v1/echo', '{"\\u0000":1}', {}, 'PUT')).json).toEqual(only(issue('string_unicode', 'body')))
  })

  it('with deep nesting are refused without recursion', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const deep = nested(2_000)
    expect(await send('/v1/echo', deep, {}, 'PUT')).toMatchObject({
      status: 422,
      json: only(issue('recursion_limit', 'body')),
    })
    expect(await send('/v1/receipts', `{"tip_tx_hash":${deep},"amount":"1"}`)).toMatchObject({ status: 422 })
    expect(await send('/v1/echo', nested(100_000), {}, 'PUT')).toMatchObject({ status: 413 })
  })

  it('of another media type or charset are 415', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'application/jsonx',
      '',
    ]) {
      expect(await post('/v1/receipts', sound, { 'Content-Type': type })).toMatchObject({
        status: 415,
        json: { detail: 'unsupported_media_type' },
      })
    }
    expect(await post('/v1/receipts', sound, { 'Content-Encoding': 'rot13' })).toMatchObject({ status: 415 })
    for (const type of ['Application/JSON', 'application/json; charset="UTF-8"', 'application/vnd.api+json']) {
      expect(await post('/v1/receipts', sound, { 'Content-Type': type })).toMatchObject({ status: 200 })
    }
  })

  it('of more than 256 KiB are 413, also when they were compressed', async () => {
    const large = JSON.stringify('x'.repeat(256 * 1024))
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    expect(await send('/v1/echo', large, {}, 'PUT')).toMatchObject({
      status: 413,
      json: { detail: 'payload_too_large' },
    })
    expect(await call('/v1/echo', { method: 'PUT', body: new Uint8Array(gzipSync(large)), headers })).toMatchObject({
      status: 413,
    })
  })

  it('report at most a hundred mistakes, so that a small request gets no huge answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`f${index}`, 1]))
    const { json } = await post('/v1/receipts', many)
    expect(json).toMatchObject({ detail: { length: 100 } })
  })

  it('of any JSON are answered with 200, or 422 in its documented form', async () => {
    const key = fc.constantFrom('tip_tx_hash', 'amount', 'parts', 'extra', 'count', 'flag', 'other')
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('12', '0xabc', 1, true, null, [{ part_name: 'a' }]))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.dictionary(key, value)), async body => {
        const { status, json } = await post('/v1/receipts', body)
        expect([200, 422]).toContain(status)
        if (status === 422) {
          expect(json).toEqual(
            only(
              ...Array.from(
                json && typeof json === 'object' && 'detail' in json ? Array.from(json.detail as []) : [],
                () =>
                  expect.objectContaining({
                    loc: expect.arrayContaining(['body']),
                    msg: expect.any(String),
                    type: expect.any(String),
                  }),
              ),
            ),
          )
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('errors', () => {
  it('have a stable code, a message and the request id', async () => {
    const { status, json, headers } = await call('/v1/fail/conflict', { headers: { 'X-Request-ID': 'my-id.1' } })
    expect([status, json]).toEqual([409, { detail: 'conflict', message: 'Not now.', request_id: 'my-id.1' }])
    expect(headers.get('x-request-id')).toBe('my-id.1')
  })

  it('replace a request id that could forge a log line', async () => {
    for (const sent of ['a b', 'x'.repeat(129), 'é']) {
      const { headers } = await call('/v1/ping', { headers: { 'X-Request-ID': sent } })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('have the form of RFC 9457 on request, except 422, which has its own', async () => {
    const headers = { Accept: 'application/problem+json, application/json;q=0.5', 'X-Request-ID': 'r' }
    const problem = await call('/v1/fail/conflict', { headers })
    expect(problem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(problem.json).toEqual({
      type: 'about:blank',
      title: 'Conflict',
      status: 409,
      detail: 'Not now.',
      code: 'conflict',
      request_id: 'r',
    })
    expect(await call('/v1/receipts/1', { headers })).toMatchObject({
      status: 422,
      json: only(issue('uuid_parsing', 'path', 'rid')),
    })
  })

  it('state when to retry, and how to authenticate', async () => {
    expect((await call('/v1/fail/busy')).headers.get('retry-after')).toBe('7')
    expect((await call('/v1/fail/down')).headers.get('retry-after')).toBe('5')
    expect((await call('/v1/fail/anonymous')).headers.get('www-authenticate')).toContain('ApiKey')
  })

  it('are found inside the errors of engines and plugins', async () => {
    expect(await call('/v1/fail/wrapped')).toMatchObject({ status: 403, json: { detail: 'forbidden' } })
  })

  it('of a resolver name the place in the request, known or not', async () => {
    expect((await call('/v1/fail/invalid')).json).toEqual(
      only(issue('value_error', 'path', 'how'), issue('odd', 'body', 'foo_bar', 0)),
    )
    expect(await call('/v1/fail/bare')).toMatchObject({ status: 422, json: only(issue('value_error', 'body')) })
  })

  it('that are unexpected are masked and logged with the same request id', async () => {
    const { status, text, json } = await call('/v1/fail/bug')
    expect(status).toBe(500)
    expect(json).toMatchObject({ detail: 'internal_error' })
    expect(text).not.toContain('secret')
    expect(server.logged.splice(0)).toMatchObject([{ details: { requestId: Reflect.get(Object(json), 'request_id') } }])
  })

  it('for bad credentials come before those for a bad body, so that an untrusted client learns nothing from it', async () => {
    expect(await send('/v1/receipts', '{', { 'X-API-Key': 'revoked' })).toMatchObject({ status: 401 })
    expect(await send('/v1/secret', '{')).toMatchObject({ status: 401 })
  })
})
