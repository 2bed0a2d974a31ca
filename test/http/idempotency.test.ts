// Idempotency-Key: a request is carried out once, however often it is repeated at any process, and a raw key is never
// shown again.
import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import openapi from '../../rest/openapi.json' with { type: 'json' }
import { cleanIdempotentRequests, newReservation, release, renew, reserve } from '../../src/idempotency/reservations.ts'
import { sqlOf } from '../../src/kit/transaction.ts'
import { type PgProxy, startPgProxy } from '../kit/pg-proxy.ts'
import { adminKey, type Service, startService, tipOf } from '../kit/service.ts'

const lean = {
  ROLES: 'api',
  ANCHOR_CHAIN: 'eip155:31337',
  ANCHOR_RPC_URL: 'http://127.0.0.1:9',
  ANCHOR_CONTRACT: `0x${'11'.repeat(20)}`,
  TRUST_PROXY: '1',
  LOG_LEVEL: 'silent',
}

let service: Service
/** Another process on the same database. */
let twin: Service
let project: { id: string; key: string; keyId: string }

beforeAll(async () => {
  service = await startService(lean)
  twin = await startService({ ...lean, DATABASE_URL: service.databaseUrl })
  const { id, key } = await service.api.project()
  const [row] = await rows('select id from api_keys where project_id = $1', id)
  project = { id, key, keyId: row?.id }
})
afterAll(async () => {
  await twin?.stop()
  await service?.stop()
})

const rows = async (text: string, ...values: unknown[]) => (await service.app.pool.query(text, values)).rows
const kept = (key: string) => rows('select * from idempotent_requests where key = $1', key)

type Sent = { key?: string; method?: string; body?: unknown; at?: Service; headers?: Record<string, string> }

/** `named` is the Idempotency-Key. */
const send = (path: string, named: string, { key = project.key, method = 'POST', body, at = service, headers }: Sent) =>
  at.api.call(method, path, {
    headers: { 'Idempotency-Key': named, ...headers },
    ...(key !== '' && { key }),
    ...(body !== undefined && { body }),
  })

const record = (named: string, body: unknown, sent: Sent = {}) => send('/v1/iso/record-tip', named, { body, ...sent })
const graphql = (named: string, query: string, sent: Sent = {}) => send('/graphql', named, { body: { query }, ...sent })

const mutation = 'mutation ($tip: RecordReceiptInput!) { recordReceipt(input: $tip) { receipt { id } } }'
const inputOf = ({ tip_tx_hash, sender_wallet, receiver_wallet, ...tip }: ReturnType<typeof tipOf>) => ({
  ...tip,
  settlementTx: tip_tx_hash,
  senderWallet: sender_wallet,
  receiverWallet: receiver_wallet,
})

const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed')
const receiptsOf = ({ reference }: { reference: string }) =>
  rows('select id from receipts where reference = $1', reference)

const createKey = (label: string) =>
  `mutation { createApiKey(input: { label: "${label}" }) { key apiKey { id label } } }`
const createEndpoint = (field: string) =>
  `createWebhookEndpoint(input: { url: "https://hooks.example" }) { webhookEndpoint { ${field} } }`
const keysCalled = (label: string) => rows('select id from api_keys where label = $1', label)

describe('a repeated request', () => {
  it('replays the stored response with a mark, and is not carried out', async () => {
    const [named, tip] = [randomUUID(), tipOf()]
    const first = await record(named, tip)
    expect([first.status, replayed(first)]).toEqual([200, null])
    await rows(`update receipts set status = 'failed' where reference = $1`, tip.reference)
    const again = await record(named, tip)
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true'])
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name))
    }
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(again.headers.get('ratelimit')).not.toBe(first.headers.get('ratelimit'))
    expect(await receiptsOf(tip)).toHaveLength(1)
  })

  it('works alike over GraphQL', async () => {
    const [named, label] = [randomUUID(), randomUUID()]
    const create = `mutation { createApiKey(input: { label: "${label}" }) { apiKey { id } } }`
    const [first, again] = [await graphql(named, create), await graphql(named, create)]
    expect([again.status, again.text, replayed(first), replayed(again)]).toEqual([200, first.text, null, 'true'])
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await keysCalled(label)).toHaveLength(1)
  })

  it('works alike for a PUT, for a route without a body, and for a request that the state does not allow', async () => {
    const cases: [string, string, Sent, number][] = [
      ['/v1/config', adminKey, { method: 'PUT', body: { org: { name: 'Ltd' } } }, 200],
      [`/v1/iso/pacs009/${randomUUID()}`, project.key, {}, 404],
    ]
    for (const [path, key, sent, status] of cases) {
      const named = randomUUID()
      const first = await send(path, named, { key, ...sent })
      const again = await send(path, named, { key, ...sent })
      expect([first.status, replayed(first), again.status, replayed(again)]).toEqual([status, null, status, 'true'])
      expect(again.text).toBe(first.text)
    }
  })

  it('replays the response at another process, and after a restart', async () => {
    const [named, tip] = [randomUUID(), tipOf()]
    const passing = await startService({ ...lean, DATABASE_URL: service.databaseUrl })
    const first = await record(named, tip, { at: passing })
    await passing.stop()
    const fresh = await startService({ ...lean, DATABASE_URL: service.databaseUrl })
    for (const at of [twin, fresh]) {
      const again = await record(named, tip, { at })
      expect([again.text, replayed(again)]).toEqual([first.text, 'true'])
    }
    await fresh.stop()
  })

  it('replays the response for a day', async () => {
    const [named, label] = [randomUUID(), randomUUID()]
    await graphql(named, createKey(label))
    const age = (interval: string) =>
      rows(`update idempotent_requests set created_at = now() - $1::interval where key = $2`, interval, named)
    await age('23 hours 59 minutes')
    expect(replayed(await graphql(named, createKey(label)))).toBe('true')
    await age('24 hours 1 minute')
    expect(replayed(await graphql(named, createKey(label)))).toBeNull()
    expect(await keysCalled(label)).toHaveLength(2)
    await age('24 hours 1 minute')
    await cleanIdempotentRequests(sqlOf(service.app.pool))
    expect(await kept(named)).toEqual([])
  })

  it('replays no raw key and no webhook secret, in a header or a body, and none is stored', async () => {
    const { endpoint: made } = (
      await service.api.graphql(`mutation { endpoint: ${createEndpoint('id')} }`, { key: project.key })
    ).data
    const cases: [string, Sent][] = [
      ['/v1/auth/api-keys', { body: { label: 'rest' } }],
      ['/graphql', { body: { query: createKey('graphql') } }],
      ['/graphql', { key: adminKey, body: { query: 'mutation { createProject(input: { name: "x" }) { key } }' } }],
      ['/graphql', { body: { query: `mutation { ${createEndpoint('secret')} }` } }],
      [
        '/graphql',
        {
          body: {
            query: `mutation { rotateWebhookSecret(input: { id: "${made.webhookEndpoint.id}" }) { webhookEndpoint { secret } } }`,
          },
        },
      ],
      ['/graphql', { body: { query: 'mutation { rotateCallbackSecret(input: {}) { project { callbackSecret } } }' } }],
    ]
    for (const [path, sent] of cases) {
      const named = randomUUID()
      const first = await send(path, named, sent)
      const shown = first.headers.get('x-api-key') ?? /qtk_[\w-]{51}|whsec_[^"]+/.exec(first.text)?.[0]
      expect(shown).toMatch(/^(qtk|whsec)_/)
      const again = await send(path, named, sent)
      expect([again.status, replayed(again), again.headers.get('x-api-key')]).toEqual([first.status, 'true', null])
      expect(again.text).toBe(first.text.replace(`"${shown}"`, 'null'))
      expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
      const [row] = await kept(named)
      expect(JSON.stringify({ ...row, body: row?.body.toString() })).not.toMatch(/qtk_|whsec_/)
    }
  })
})

describe('another request with the same key', () => {
  const other = { loc: ['header', 'idempotency-key'], type: 'idempotency_mismatch' }

  it('is refused: another body, path or API', async () => {
    const [named, tip] = [randomUUID(), tipOf()]
    await record(named, tip)
    const different = [
      await record(named, { ...tip, amount: '1' }),
      await send('/v1/iso/refund', named, { body: { original_receipt_id: randomUUID() } }),
      await send('/v1/auth/api-keys', named, { body: { label: 'another' } }),
    ]
    for (const { status, json } of different) expect([status, json]).toMatchObject([422, { detail: [other] }])
    const { status, json } = await graphql(named, createKey('another'))
    expect([status, json.errors[0].extensions.code]).toEqual([422, 'validation_failed'])
    expect(json.errors[0].extensions.issues).toMatchObject([{ path: ['idempotency-key'], type: other.type }])
    expect(await receiptsOf(tip)).toHaveLength(1)
  })

  it('is independent if another caller sends it', async () => {
    const named = randomUUID()
    const second = await service.api.project()
    const colleague = await service.api.key(project.key, 'project_admin')
    const label = randomUUID()
    const callers: Sent[] = [{}, { key: second.key }, { key: colleague }]
    for (const caller of callers) expect(replayed(await graphql(named, createKey(label), caller))).toBeNull()
    expect(await kept(named)).toHaveLength(callers.length)
    for (const caller of callers) expect(replayed(await graphql(named, createKey(label), caller))).toBe('true')
    expect(await keysCalled(label)).toHaveLength(callers.length)
  })
})

describe('a key', () => {
  it.each([
    ['of 255 visible characters', `${'!'.repeat(254)}~`, 200],
    ['with quotes, as the IETF draft has it', `"${randomUUID()}"`, 200],
    ['that is empty', '', 422],
    ['of 256 characters', 'x'.repeat(256), 422],
    ['with a space', 'a b', 422],
    ['with other letters', 'ü', 422],
  ])('%s', async (_, named, status) => {
    const sent = await record(named, tipOf())
    expect(sent.status).toBe(status)
    if (status === 422) expect(sent.json.detail[0].loc).toEqual(['header', 'idempotency-key'])
  })

  it('has no effect on reads, deletions and streams, and requests without a key store nothing', async () => {
    const named = randomUUID()
    const body = { query: '{ __typename }' }
    const before = await rows('select count(*) from idempotent_requests')
    await send('/v1/receipts', named, { method: 'GET' })
    await send('/v1/iso/verify', named, { body: { txid: `0x${'1'.repeat(64)}` } })
    await graphql(named, '{ __typename }')
    await send(`/v1/auth/api-keys/${randomUUID()}`, named, { method: 'DELETE' })
    await send('/graphql/stream', named, { body, headers: { Accept: 'text/event-stream' } })
    await send('/graphql/stream', named, { method: 'PUT' })
    await service.api.record(project.key)
    await service.api.graphql('{ __typename }')
    expect(await rows('select count(*) from idempotent_requests')).toEqual(before)
  })

  it.each([
    [
      'a subscription',
      '/graphql',
      'subscription { receiptEvents(receiptId: "00000000-0000-4000-8000-000000000000") { cursor } }',
    ],
    [
      'a stream',
      '/graphql/stream',
      'mutation { createApiKey(input: { label: "streamed", role: VIEWER }) { apiKey { id } } }',
    ],
  ])('is refused for %s, which cannot be replayed', async (_, path, query) => {
    const { json } = await service.api.call('POST', path, {
      key: project.key,
      headers: { Accept: 'text/event-stream', 'Idempotency-Key': randomUUID() },
      body: { query },
    })
    expect(json.errors[0].extensions.code).toBe('validation_failed')
    expect(await keysCalled('streamed')).toHaveLength(0)
  })

  it.each(['text/event-stream', 'multipart/mixed'])('applies to every requested response format: %s', async accept => {
    const label = randomUUID()
    const query = `mutation { createApiKey(input: { label: "${label}", role: VIEWER }) { apiKey { id } key } }`
    const headers = { Accept: accept, 'Idempotency-Key': randomUUID() }
    const send = () => service.api.call('POST', '/graphql', { key: project.key, headers, body: { query } })
    const [first, second] = [await send(), await send()]
    expect([first.status, replayed(second)]).toEqual([200, 'true'])
    expect(await keysCalled(label)).toHaveLength(1)
  })

  it('applies to the mutations that succeeded, though others were refused', async () => {
    const label = randomUUID()
    const query = `mutation {
      a: createApiKey(input: { label: "${label}", role: VIEWER }) { apiKey { id } }
      b: createProject(input: { name: "z" }) { key } }`
    const headers = { 'Idempotency-Key': randomUUID() }
    const send = () => service.api.call('POST', '/graphql', { key: project.key, headers, body: { query } })
    await send()
    expect(replayed(await send())).toBe('true')
    expect(await keysCalled(label)).toHaveLength(1)
  })
})

/** Delays recording while `run` runs. */
async function heldUp<T>(run: (release: () => Promise<void>) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table receipts in share mode')
  try {
    return await run(async () => void (await client.query('commit')))
  } finally {
    await client.end()
  }
}

const until = <T>(look: () => Promise<T>) => vi.waitUntil(look, { timeout: 60_000, interval: 20 })

describe('while the first request is running', () => {
  const busy = 'idempotency_in_progress'

  it('a repetition gets 409, over REST and GraphQL and at every process', async () => {
    const [named, tip] = [randomUUID(), tipOf()]
    await heldUp(async release => {
      const first = record(named, tip)
      await until(async () => (await kept(named)).length > 0)
      for (const at of [service, twin]) {
        const second = await record(named, tip, { at })
        expect([second.status, second.json.detail, second.headers.get('retry-after')]).toEqual([409, busy, '1'])
      }
      expect((await record(named, { ...tip, amount: '3' })).status).toBe(422)
      await release()
      expect((await first).status).toBe(200)
    })
    expect(replayed(await record(named, tip))).toBe('true')
  })

  it('GraphQL reports it in its own error format', async () => {
    const [named, body] = [randomUUID(), { query: mutation, variables: { tip: inputOf(tipOf()) } }]
    const ask = () => send('/graphql', named, { body })
    await heldUp(async release => {
      const first = ask()
      await until(async () => (await kept(named)).length > 0)
      const second = await ask()
      expect([second.status, second.json.errors[0].extensions.code]).toEqual([409, busy])
      expect(second.headers.get('retry-after')).toBe('1')
      await release()
      expect((await first).json.errors).toBeUndefined()
    })
    expect(replayed(await ask())).toBe('true')
  })

  it.each(['/v1/iso/record-tip', '/graphql'])('a caller of %s who was cut off gets the answer later', async path => {
    const [named, tip] = [randomUUID(), tipOf()]
    const body = path === '/graphql' ? { query: mutation, variables: { tip: inputOf(tip) } } : tip
    const leaving = new AbortController()
    await heldUp(async release => {
      const first = fetch(service.base + path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': project.key, 'Idempotency-Key': named },
        body: JSON.stringify(body),
        signal: leaving.signal,
      })
      await until(async () => (await kept(named)).length > 0)
      leaving.abort()
      await expect(first).rejects.toThrow()
      expect((await send(path, named, { body })).status).toBe(409)
      await release()
    })
    const again = await until(async () => {
      const answer = await send(path, named, { body })
      return answer.status !== 409 && answer
    })
    expect([again.status, replayed(again)]).toEqual([200, 'true'])
    expect(again.json.errors).toBeUndefined()
    expect(await receiptsOf(tip)).toHaveLength(1)
  })
})

describe('many concurrent requests', () => {
  it.each(['/graphql', '/v1/auth/api-keys'])('at two processes create one API key at %s', async path => {
    const [named, label] = [randomUUID(), randomUUID()]
    const body = path === '/graphql' ? { query: createKey(label) } : { label }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => send(path, named, { body, at: n % 2 ? service : twin })),
    )
    const done = answers.filter(answer => answer.status === 200)
    expect(done.filter(answer => replayed(answer) === null)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(50 - done.length)
    expect(await keysCalled(label)).toHaveLength(1)
  })

  it('with different keys do not wait for each other', async () => {
    const label = randomUUID()
    const answers = await Promise.all(Array.from({ length: 50 }, () => graphql(randomUUID(), createKey(label))))
    expect(new Set(answers.map(answer => [answer.status, replayed(answer)].join()))).toEqual(new Set(['200,']))
    expect(await keysCalled(label)).toHaveLength(50)
  })
})

describe('a process that died during a request', () => {
  const abandon = async (named: string, body: unknown, age: string) => {
    const fingerprint = createHash('sha256').update('POST /graphql\n').update(JSON.stringify(body)).digest()
    await rows(
      `insert into idempotent_requests (principal, key, fingerprint, headers, created_at)
       values ($1, $2, $3, '{"holder":"gone"}', now() - $4::interval)`,
      `key:${project.keyId}`,
      named,
      fingerprint,
      age,
    )
  }

  it('blocks its repetitions for a minute; then exactly one of them is carried out', async () => {
    const [named, label] = [randomUUID(), randomUUID()]
    const query = createKey(label)
    await abandon(named, { query }, '50 seconds')
    expect((await graphql(named, query)).status).toBe(409)
    await rows(`update idempotent_requests set created_at = created_at - interval '20 seconds' where key = $1`, named)
    expect((await graphql(named, createKey('another'))).status).toBe(422)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => graphql(named, query, { at: n % 2 ? service : twin })),
    )
    expect(answers.filter(answer => answer.status === 200 && replayed(answer) === null)).toHaveLength(1)
    expect(await keysCalled(label)).toHaveLength(1)
  })

  it('is distinguished from a slow one, which renews its reservation regularly', async () => {
    const sql = sqlOf(service.app.pool)
    const asked = {
      principal: 'key:slow',
      by: { kind: 'public' as const },
      key: randomUUID(),
      fingerprint: Buffer.alloc(32),
      several: false,
    }
    const reservation = newReservation(asked)
    expect(await reserve(sql, asked, reservation)).toMatchObject({ kind: 'reserved' })
    await rows(`update idempotent_requests set created_at = now() - interval '61 seconds' where key = $1`, asked.key)
    await renew(sql, [reservation])
    expect(await reserve(sql, asked, newReservation(asked))).toEqual({ kind: 'running' })
    await rows(`update idempotent_requests set created_at = now() - interval '61 seconds' where key = $1`, asked.key)
    expect(await reserve(sql, asked, newReservation(asked))).toMatchObject({ kind: 'reserved' })
    await release(sql, reservation)
    expect(await kept(asked.key)).toHaveLength(1)
  })

  it('cannot store its response when it returns after another took over', async () => {
    const [named, tip] = [randomUUID(), tipOf()]
    await heldUp(async release => {
      const first = record(named, tip)
      await until(async () => (await kept(named)).length > 0)
      await rows(`update idempotent_requests set headers = '{"holder":"another"}' where key = $1`, named)
      await release()
      expect((await first).status).toBe(200)
    })
    expect(await kept(named)).toMatchObject([{ finished_at: null, headers: { holder: 'another' } }])
  })
})

describe('a response that is not final is not stored', () => {
  it.each<[string, Sent & { path: string }, number]>([
    ['401, nobody was asked yet', { path: '/v1/auth/api-keys', key: '', body: { label: 'x' } }, 401],
    ['403, the key may be given the right', { path: '/v1/config', method: 'PUT', body: { org: { name: 'x' } } }, 403],
    [
      '403 in GraphQL',
      { path: '/graphql', body: { query: 'mutation { createProject(input: { name: "x" }) { key } }' } },
      200,
    ],
    ['401 in GraphQL', { path: '/graphql', key: '', body: { query: createKey('x') } }, 401],
  ])('%s', async (_, { path, ...sent }, status) => {
    const named = randomUUID()
    for (const answer of [await send(path, named, sent), await send(path, named, sent)]) {
      expect([answer.status, replayed(answer)]).toEqual([status, null])
    }
    expect(await kept(named)).toEqual([])
  })

  it.each(['/v1/iso/record-tip', '/graphql'])('after an internal error at %s the retry is carried out', async path => {
    const [named, tip] = [randomUUID(), tipOf()]
    const body = path === '/graphql' ? { query: mutation, variables: { tip: inputOf(tip) } } : tip
    await rows('alter table receipts rename to receipts_away')
    const failed = await send(path, named, { body })
    await rows('alter table receipts_away rename to receipts')
    expect(failed.text).toContain('internal_error')
    expect(await kept(named)).toEqual([])
    expect(await receiptsOf(tip)).toHaveLength(0)
    const again = await send(path, named, { body })
    expect([again.status, replayed(again), again.text]).toEqual([200, null, expect.not.stringContaining('errors')])
    expect(await receiptsOf(tip)).toHaveLength(1)
  })

  it.each<[string, Sent & { path: string }, number]>([
    ['an invalid body', { path: '/v1/iso/record-tip', body: { amount: 1 } }, 422],
    ['an invalid input in GraphQL', { path: '/graphql', body: { query: createKey(' ') } }, 200],
    ['a document that is not valid', { path: '/graphql', body: { query: 'mutation { nothing }' } }, 400],
    ['a method that the path does not have', { path: '/v1/iso/record-tip', method: 'PUT', body: tipOf() }, 405],
    ['a path that is no route', { path: '/v1/nowhere', body: {} }, 404],
  ])('%s does not use up the key, so that the right request is carried out', async (_, { path, ...sent }, status) => {
    const [named, tip] = [randomUUID(), tipOf()]
    const refused = await send(path, named, { headers: { Accept: 'application/graphql-response+json' }, ...sent })
    expect(path === '/graphql' ? [200, 400] : [status]).toContain(refused.status)
    const meant = await record(named, tip)
    expect([meant.status, replayed(meant)]).toEqual([200, null])
  })
})

it('without the database no request with a key is carried out', async () => {
  const { pool } = service.app
  const { query } = pool
  pool.query = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  try {
    const named = { body: { query: createKey('unkept') } }
    expect((await send('/graphql', randomUUID(), named)).status).toBe(503)
    const rest = await record(randomUUID(), tipOf())
    expect([rest.status, rest.json.detail]).toEqual([503, 'database_unavailable'])
  } finally {
    pool.query = query
  }
})

it('a response that cannot be stored is still sent, and the request is not carried out again', async () => {
  const { pool } = service.app
  const { query } = pool
  const [named, tip] = [randomUUID(), tipOf()]
  pool.query = (...sent: unknown[]) =>
    JSON.stringify(sent[0]).includes('idempotency-finish')
      ? Promise.reject(new Error('gone'))
      : Reflect.apply(query, pool, sent)
  const first = await record(named, tip)
  pool.query = query
  expect(first.status).toBe(200)
  expect((await record(named, tip)).status).toBe(409)
})

it('every POST and PUT of the OpenAPI document accepts a key and documents its errors', () => {
  for (const operations of Object.values(openapi.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { parameters = [], responses }: { parameters?: unknown[]; responses: object } = operation
      const takes = JSON.stringify(parameters).includes('#/components/parameters/IdempotencyKey')
      expect(takes).toBe(method === 'post' || method === 'put')
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(takes ? ['409', '422', '429'] : ['429']))
    }
  }
})

describe('a write whose commit is not answered any more', () => {
  let proxy: PgProxy
  let behind: Service
  beforeAll(async () => {
    proxy = await startPgProxy(service.databaseUrl)
    behind = await startService({ ...lean, DATABASE_URL: proxy.url })
  })
  afterAll(async () => {
    await behind?.stop()
    await proxy?.stop()
  })

  const labelled = async (label: string) =>
    (await rows('select 1 from api_keys where project_id = $1 and label = $2', project.id, label)).length
  const create = (named: string, label: string, at: Service) =>
    graphql(named, `mutation { createApiKey(input: { label: "${label}", role: VIEWER }) { key } }`, { at })
  const codeOf = ({ json }: Awaited<ReturnType<typeof create>>) => json.errors?.[0]?.extensions?.code

  it('is not carried out again', async () => {
    const [named, label] = [randomUUID(), `lost ${randomUUID()}`]
    proxy.set({ statement: '"carriedOut": true', at: 'committed', spring: async () => 'cut' })
    expect(codeOf(await create(named, label, behind))).toBe('database_unavailable')
    expect(await labelled(label)).toBe(1)
    expect(codeOf(await create(named, label, service))).toBe('idempotency_in_progress')
    await rows(`update idempotent_requests set created_at = now() - interval '61 seconds' where key = $1`, named)
    expect(codeOf(await create(named, label, service))).toBe('conflict')
    expect(await labelled(label)).toBe(1)
  })

  it('is carried out by a retry when it did not commit', async () => {
    const [named, label] = [randomUUID(), `undone ${randomUUID()}`]
    proxy.set({ statement: '"carriedOut": true', at: 'before', spring: async () => 'cut' })
    expect(codeOf(await create(named, label, behind))).toBe('database_unavailable')
    expect((await create(named, label, service)).json.errors).toBeUndefined()
    expect(await labelled(label)).toBe(1)
  })
})
