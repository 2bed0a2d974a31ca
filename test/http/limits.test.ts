// Rate limits: which caller each request counts for, also across processes, and that neither attackers nor an outage
// lock a caller out.
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { makeKey } from '../../src/core/secrets.ts'
import { EnvError, readEnv } from '../../src/env.ts'
import { unlimited } from '../../src/kit/allowance.ts'
import { type Sql, sqlOf } from '../../src/kit/transaction.ts'
import { addressName } from '../../src/limits/client-address.ts'
import { cleanRateWindows, createLimiter } from '../../src/limits/limiter.ts'
import { defaultQuotas } from '../../src/limits/policy.ts'
import { closeReserved, reservedStreams } from '../../src/limits/reserved-streams.ts'
import { createStreamSlots } from '../../src/limits/stream-slots.ts'
import { adminKey, freshDatabase, type Service, startService } from '../kit/service.ts'

const quotas = { ...defaultQuotas, project: 20, address: 12, reads: 100, 'sign-in': 4, 'failed-keys': 5 }
const lean = {
  ROLES: 'api',
  RATE_LIMITS: Object.entries(quotas)
    .map(([name, quota]) => `${name}=${quota}`)
    .join(),
  TRUST_PROXY: '1',
  ANCHOR_CHAIN: 'eip155:31337',
  ANCHOR_RPC_URL: 'http://127.0.0.1:9',
  ANCHOR_CONTRACT: `0x${'11'.repeat(20)}`,
}

let service: Service
/** Another process on the same database. */
let twin: Service

// The clock is stopped in the middle of a window, and only the tests advance it.
let now = Math.floor(Date.now() / 60_000) * 60_000 + 30_000
const nextWindow = () => {
  now += 60_000
  vi.setSystemTime(now)
}

beforeAll(async () => {
  service = await startService(lean)
  twin = await startService({ ...lean, DATABASE_URL: service.databaseUrl })
  vi.useFakeTimers({ toFake: ['Date'], now })
})
beforeEach(nextWindow)
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  vi.useRealTimers()
  await twin?.stop()
  await service?.stop()
})

/** Returns a new client address. */
let addresses = 0
const anyAddress = () => `198.51.100.${++addresses}`

type Sent = { key?: string; from?: string; method?: string; body?: unknown; at?: Service; headers?: object }

const ask = (path: string, { key, from = anyAddress(), method = 'GET', body, at = service, headers }: Sent = {}) =>
  at.api.call(method, path, {
    headers: { 'X-Forwarded-For': from, ...headers },
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body }),
  })

const graphql = (query: string, sent: Sent = {}) => ask('/graphql', { ...sent, method: 'POST', body: { query } })

/** Sends equal requests one after the other and returns their statuses. */
async function statuses(times: number, request: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = []
  for (let time = 0; time < times; time++) seen.push((await request()).status)
  return seen
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}

const used = async (bucket: string): Promise<number> => {
  const window = Math.floor(now / 60_000)
  const { rows } = await service.app.pool.query(
    'select used from rate_windows where bucket like $1 and "window" = $2',
    [bucket, window],
  )
  return rows[0]?.used ?? 0
}

describe('the headers', () => {
  it('state the policy and its remainder in the form of the IETF draft, over REST and GraphQL', async () => {
    const { key } = await service.api.project()
    const rest = await ask('/v1/auth/me', { key })
    expect(rest.headers.get('ratelimit-policy')).toBe('"project";q=20;w=60')
    expect(rest.headers.get('ratelimit')).toBe('"project";r=19;t=30')
    expect((await graphql('{ me { role } }', { key })).headers.get('ratelimit')).toBe('"project";r=18;t=30')
    const from = anyAddress()
    expect((await graphql('{ __typename }', { from })).headers.get('ratelimit-policy')).toBe('"address";q=12;w=60')
    expect((await ask('/nowhere', { from })).headers.get('ratelimit')).toBe('"address";r=10;t=30')
  })

  it('can be read by pages of other origins', async () => {
    const exposed = (await ask('/livez')).headers.get('access-control-expose-headers')
    for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotency-Replayed']) {
      expect(exposed).toContain(name)
    }
  })
})

describe('an exhausted limit', () => {
  it('refuses that key alone, over REST and GraphQL, until the next window', async () => {
    const [first, second] = [await service.api.project(), await service.api.project()]
    const from = anyAddress()
    const list = (key: string) => () => ask('/v1/auth/me', { key, from })
    expect(await statuses(21, list(first.key))).toEqual([...times(20, 200), 429])
    const refused = await list(first.key)()
    expect(refused.json).toMatchObject({ detail: 'too_many_requests', request_id: expect.any(String) })
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.headers.get('ratelimit')).toBe('"project";r=0;t=30')
    const over = await graphql('{ me { role } }', { key: first.key, from })
    expect([over.status, over.json.errors[0].extensions.code]).toEqual([429, 'too_many_requests'])
    expect(over.headers.get('retry-after')).toBe('30')
    expect((await list(second.key)()).status).toBe(200)
    expect((await ask('/v1/config', { from })).status).toBe(401)
    nextWindow()
    expect((await list(first.key)()).headers.get('ratelimit')).toBe('"project";r=19;t=30')
  })

  it('is reported in the form of RFC 9457 on request', async () => {
    const from = anyAddress()
    await statuses(quotas.address, () => ask('/nowhere', { from }))
    const { headers, text } = await ask('/nowhere', { from, headers: { Accept: 'application/problem+json' } })
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(JSON.parse(text)).toMatchObject({ status: 429, code: 'too_many_requests' })
  })

  it('does not apply to administrators and probes', async () => {
    const from = anyAddress()
    const list = () => ask('/v1/config', { key: adminKey, from })
    expect(new Set(await statuses(30, list))).toEqual(new Set([200]))
    expect((await list()).headers.get('ratelimit')).toBeNull()
    await statuses(quotas.address + 1, () => ask('/nowhere', { from }))
    expect((await ask('/livez', { from })).status).toBe(200)
    expect((await ask('/readyz', { from })).status).toBe(503)
  })

  it('also refuses to open and reserve streams', async () => {
    const from = anyAddress()
    const body = { query: 'subscription { receiptEvents(receiptId: "x") { cursor } }' }
    const open = () => ask('/graphql/stream', { from, method: 'POST', body, headers: { Accept: 'text/event-stream' } })
    expect((await open()).headers.get('ratelimit')).toBe('"address";r=11;t=30')
    const reserve = () => ask('/graphql/stream', { from, method: 'PUT' })
    expect(await statuses(12, reserve)).toEqual([...times(11, 201), 429])
    expect((await open()).status).toBe(429)
  })
})

describe('two processes', () => {
  it('share a count, with a short delay', async () => {
    const { key, id } = await service.api.project()
    const bucket = `project:${id}`
    const list = (at: Service) => () => ask('/v1/auth/me', { key, at })
    await statuses(12, list(service))
    await until(async () => (await used(bucket)) === 12)
    await list(twin)()
    await until(async () => (await used(bucket)) === 13)
    expect((await list(twin)()).headers.get('ratelimit')).toBe('"project";r=6;t=30')
    expect(await statuses(7, list(twin))).toEqual([...times(6, 200), 429])
    await until(async () => (await used(bucket)) === 20)
    // A process learns the total when it adds to it: one request too many, and no more.
    await list(service)()
    await until(async () => (await used(bucket)) === 21)
    expect(await statuses(5, list(service))).toEqual(times(5, 429))
  })

  it('admit at most the limit each under concurrent load, and nothing afterwards', async () => {
    const { key } = await service.api.project()
    const storm = () =>
      Promise.all(Array.from({ length: 120 }, (_, n) => ask('/v1/auth/me', { key, at: n % 2 ? service : twin })))
    const admitted = (await storm()).filter(({ status }) => status === 200).length
    expect(admitted).toBeGreaterThanOrEqual(20)
    expect(admitted).toBeLessThanOrEqual(40)
    expect(new Set((await storm()).map(({ status }) => status))).toEqual(new Set([429]))
  })
})

describe('wrong keys', () => {
  const config = (key: string, from: string, at = service) => ask('/v1/auth/me', { key, from, at })

  it('are refused with 401 a few times, then with 429, over REST and GraphQL and without a database query', async () => {
    const from = anyAddress()
    const query = vi.spyOn(service.app.pool, 'query')
    expect(await statuses(6, () => config(`qtk_${randomUUID()}`, from))).toEqual([...times(5, 401), 429])
    const over = await graphql('{ __typename }', { key: 'guess', from })
    expect([over.status, over.json.errors[0].extensions.code]).toEqual([429, 'too_many_requests'])
    expect(query.mock.calls.filter(([sent]) => JSON.stringify(sent).includes('keys-by-hash'))).toEqual([])
    expect((await config('guess', anyAddress())).status).toBe(401)
  })

  it('of the right form are refused with 429 as well, also revoked ones', async () => {
    const from = anyAddress()
    const { key } = await service.api.project()
    const created = 'mutation { createApiKey(input: { label: "x" }) { key apiKey { id } } }'
    const { data } = await service.api.graphql(created, { key })
    const revoke = `mutation { revokeApiKey(input: { id: "${data.createApiKey.apiKey.id}" }) { apiKey { id } } }`
    await service.api.graphql(revoke, { key })
    expect(await statuses(5, () => config(makeKey(), from))).toEqual(times(5, 401))
    expect((await config(makeKey(), from)).status).toBe(429)
    expect((await config(data.createApiKey.key, from)).status).toBe(429)
  })

  it('never lock out a valid key of the same address, nor callers without a key', async () => {
    const from = anyAddress()
    const { key } = await service.api.project()
    const guesses = Promise.all(
      Array.from({ length: 200 }, (_, n) => config(n % 2 ? makeKey() : 'guess', from, n % 4 < 2 ? service : twin)),
    )
    expect(await statuses(10, () => config(key, from))).toEqual(times(10, 200))
    expect((await guesses).filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(190)
    expect((await config(key, from, twin)).status).toBe(200)
    expect((await graphql('{ __typename }', { from })).status).toBe(200)
  })
})

describe('sign-in signatures', () => {
  const path = '/v1/auth/siwe-verify'
  const body = { message: 'x', signature: '0x' }

  it('are counted on every path that verifies one, beside the cost of the request', async () => {
    for (const at of [path, '/v1/auth/siwe-mint-key', '/v1/projects/register']) {
      const from = anyAddress()
      const { status, headers } = await ask(at, { from, method: 'POST', body })
      expect(status).not.toBe(429)
      expect(headers.get('ratelimit-policy')).toBe('"address";q=12;w=60, "sign-in";q=4;w=60')
      expect(headers.get('ratelimit')).toContain('"sign-in";r=3;t=30')
    }
    const from = anyAddress()
    const garbled = { from, method: 'POST', body: { message: 1 } }
    expect(await statuses(5, () => ask(path, garbled))).toEqual([...times(4, 422), 429])
    expect((await ask('/v1/ping', { from })).status).toBe(200)
  })

  it('are counted one by one in a GraphQL document, before any of them is verified', async () => {
    const from = anyAddress()
    const verify = (alias: string) => `${alias}: verifyWallet(input: { message: "x", signature: "0x" }) { address }`
    const three = await graphql(`mutation { ${['a', 'b', 'c'].map(verify).join(' ')} }`, { from })
    expect(three.headers.get('ratelimit')).toContain('"sign-in";r=1;t=30')
    const two = await graphql(`mutation { ${['a', 'b'].map(verify).join(' ')} }`, { from })
    expect([two.status, two.json.data]).toEqual([429, undefined])
    const streamed = { method: 'POST', from, headers: { Accept: 'text/event-stream' } }
    const query = `mutation { ${['a', 'b'].map(verify).join(' ')} }`
    expect((await ask('/graphql/stream', { ...streamed, body: { query } })).status).toBe(429)
    expect((await graphql('{ __typename }', { from })).status).toBe(200)
  })

  it('of administrators are not counted', async () => {
    const sent = { key: adminKey, from: anyAddress(), method: 'POST', body }
    expect(new Set(await statuses(6, () => ask(path, sent)))).not.toContain(429)
  })

  const left = async (query: string, more: object = {}) => {
    const { headers } = await ask('/graphql', { method: 'POST', body: { query, ...more } })
    return /"sign-in";r=(\d)/.exec(headers.get('ratelimit') ?? '')?.[1]
  }
  const field = 'verifyWallet(input: { message: "x", signature: "0x" })'

  it('are counted for the fields that the operation selects, with its fragments', async () => {
    const fragment = `fragment F on Mutation { ${field} { address } }`
    expect(await left(`mutation { a: ${field} { address } ...F ...F } ${fragment}`)).toBe('1')
    expect(await left(`mutation { ... { ${field} { address } } }`)).toBe('3')
    const skipped = `mutation M($no: Boolean!) { ${field} @include(if: $no) { address } }`
    expect(await left(skipped, { variables: { no: false } })).toBe('3')
    const two = `mutation A { ${field} { address } } mutation B { a: ${field} { address } b: ${field} { address } }`
    expect(await left(two, { operationName: 'B' })).toBe('2')
  })

  it('are not counted for the name of a field in a comment, an alias or a string, nor in an invalid document', async () => {
    expect(await left('{ mintApiKey: __typename } # verifyWallet')).toBe(undefined)
    expect(await left(`mutation { ${field.replace('x', 'verifyWallet mintApiKey')} { address } }`)).toBe('3')
    expect(await left(`mutation { ${field} { nothing } }`)).toBe(undefined)
  })
})

describe('client addresses', () => {
  const left = async (from: string, at = service) => (await ask('/nowhere', { from, at })).headers.get('ratelimit')

  it('are those that the nearest proxy reports; the client may have written anything before them', async () => {
    const from = anyAddress()
    expect(await left(`203.0.113.1, ${from}`)).toBe('"address";r=11;t=30')
    expect(await left(`203.0.113.2, ${from}`)).toBe('"address";r=10;t=30')
  })

  it('are those of the connection where no proxy is trusted', async () => {
    const alone = await startService({ ...lean, TRUST_PROXY: '0', DATABASE_URL: service.databaseUrl })
    const first = Number(/r=(\d+)/.exec((await left('203.0.113.3', alone)) ?? '')?.[1])
    expect(await left('203.0.113.4', alone)).toBe(`"address";r=${first - 1};t=30`)
    await alone.stop()
  })

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('%s is counted as %s', (text, name) => expect(addressName(text)).toBe(name))
})

describe('without the database', () => {
  it('no caller is limited or refused, and afterwards the limits apply again', async () => {
    const alone = await startService({ ...lean, DATABASE_URL: await freshDatabase(), LOG_LEVEL: 'silent' })
    const name = new URL(alone.databaseUrl).pathname.slice(1)
    const admin = new pg.Client({ connectionString: inject('postgresUrl') })
    await admin.connect()
    const from = anyAddress()
    const health = () => ask('/v1/health', { from, at: alone })
    await admin.query(`alter database ${name} allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    // The limit is exceeded before the outage is detected.
    await until(async () => (await health()).headers.get('ratelimit')?.includes('r=0') === true)
    await until(async () => (await health()).status === 200)
    expect(await statuses(30, health)).toEqual(times(30, 200))
    await admin.query(`alter database ${name} allow_connections true`)
    await until(async () => (await health()).status === 429)
    await admin.end()
    await alone.stop()
  })
})

describe('the limiter', () => {
  const log = { error: vi.fn(), info: vi.fn() }

  it('has bounded memory: the table still has subjects that it evicted', async () => {
    const table = new Map<string, number>()
    const sql: Sql = async (_, [buckets, , added]: unknown[] = []) => {
      if (!Array.isArray(buckets) || !Array.isArray(added)) throw new Error('other parameters')
      return buckets.map((bucket, index) => {
        table.set(bucket, (table.get(bucket) ?? 0) + added[index])
        return { bucket, used: table.get(bucket) }
      }) as never
    }
    const limiter = createLimiter(sql, { ...quotas, address: 3 }, log)
    const take = (subject: string) => limiter.consume([{ policy: 'address', subject }], 1)
    for (let time = 0; time < 3; time++) take('first')
    expect(take('first')).toMatchObject([{ admitted: false }])
    await until(async () => table.get('address:first') === 3)
    for (let n = 0; n < 50_000; n++) take(`other ${n}`)
    expect(take('first')).toMatchObject([{ admitted: true }])
    await until(async () => table.get('address:first') === 4)
    expect(take('first')).toMatchObject([{ admitted: false }])
    await limiter.stop()
  })

  it('returns no policy that is switched off', () => {
    const never: Sql = () => Promise.reject(new Error('asked'))
    const limiter = createLimiter(never, { ...quotas, project: 0 }, log)
    expect(limiter.consume([{ policy: 'project', subject: 'x' }], 1)).toEqual([])
  })

  it('writes its remaining counts to the table when it stops', async () => {
    const limiter = createLimiter(sqlOf(service.app.pool), quotas, log)
    limiter.consume([{ policy: 'project', subject: 'of one that stops' }], 1)
    await limiter.stop()
    expect(await used('project:of one that stops')).toBe(1)
  })

  it('deletes windows that have ended', async () => {
    const { pool } = service.app
    const window = Math.floor(now / 60_000)
    const insert = `insert into rate_windows select 'old', w, 1 from unnest($1::bigint[]) as w`
    await pool.query(insert, [[window - 5, window - 2, window]])
    await cleanRateWindows(sqlOf(pool))
    const { rows } = await pool.query(`select "window" from rate_windows where bucket = 'old'`)
    expect(rows).toEqual([{ window: String(window) }])
  })
})

describe('reserved streams', () => {
  const reserve = async (token?: string) =>
    ask('/graphql/stream', { method: 'PUT', ...(token && { headers: { 'X-GraphQL-Event-Stream-Token': token } }) })

  it('get a new token each, whatever the caller sends', async () => {
    const tokens = [(await reserve()).text, (await reserve()).text, (await reserve('chosen')).text]
    expect(new Set(tokens).size).toBe(3)
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each(['constructor', '__proto__', 'toString'])(
    'are not found under the name of an object’s inherited property: %s',
    async token => {
      const sent = async (method: string, Accept: string, body?: object) => {
        const headers = { 'X-GraphQL-Event-Stream-Token': token, Accept }
        const { status } = await ask('/graphql/stream?operationId=1', { method, headers, ...(body && { body }) })
        return status
      }
      expect(await sent('GET', 'text/event-stream')).toBe(400)
      expect(await sent('DELETE', '*/*')).toBe(404)
      expect(await sent('POST', '*/*', { query: '{ __typename }', extensions: { operationId: '1' } })).toBe(404)
    },
  )

  it('end when no client opens them, and stay when a client does', async () => {
    const closed: unknown[] = []
    const note = reservedStreams(
      async (_, { headers }) => {
        closed.push(Reflect.get(Object(headers), 'x-graphql-event-stream-token'))
        return new Response('')
      },
      { error: vi.fn() },
      '0123abcd',
      20,
    )
    const places = createStreamSlots({ ...quotas, 'streams-of-project': 2 })
    const allowance = { ...unlimited('project:x'), openStream: () => places.take('streams-of-project', 'x') }
    const request = (method: string, sent: Record<string, string> = {}): string => {
      const headers: Record<string, string> = { accept: '*/*', ...sent }
      note({ method, query: {}, headers } as never, new EventEmitter() as never, allowance)
      return headers['x-graphql-event-stream-token'] ?? ''
    }
    const opened = request('PUT')
    const forgotten = request('PUT')
    expect(() => request('PUT')).toThrow('This caller has 2 event streams')
    request('GET', { accept: 'text/event-stream', 'x-graphql-event-stream-token': opened })
    await until(async () => closed.length > 0)
    expect(closed).toEqual([forgotten])
    request('PUT')
  })

  it('are removed from graphql-sse once closed, and open ones are unaffected', async () => {
    const stream = new URL('/graphql/stream', service.base)
    const from = anyAddress()
    const fetchStream = (_: string, init: RequestInit) =>
      fetch(stream, { ...init, headers: { ...init.headers, 'X-Forwarded-For': from } })
    const operate = (token: string) =>
      ask('/graphql/stream', {
        method: 'POST',
        headers: { 'X-GraphQL-Event-Stream-Token': token },
        body: { query: '{ __typename }', extensions: { operationId: '1' } },
      })
    const { text: leftAlone } = await reserve()
    await closeReserved(fetchStream, leftAlone)
    await until(async () => (await operate(leftAlone)).status === 404)
    const { text: inUse } = await reserve()
    const headers = { Accept: 'text/event-stream', 'X-GraphQL-Event-Stream-Token': inUse }
    const open = await fetch(stream, { headers: { ...headers, 'X-Forwarded-For': from } })
    await closeReserved(fetchStream, inUse)
    expect((await operate(inUse)).status).toBe(202)
    await open.body?.cancel()
  })
})

describe('the settings', () => {
  const faults = (env: Record<string, string>) => {
    try {
      return readEnv(env)
    } catch (error) {
      return error instanceof EnvError ? error.message : error
    }
  }

  it('change the limits that they name', () => {
    expect(readEnv({}).RATE_LIMITS).toEqual(defaultQuotas)
    const set = readEnv({ RATE_LIMITS: 'project=7, sign-in=0' }).RATE_LIMITS
    expect(set).toEqual({ ...defaultQuotas, project: 7, 'sign-in': 0 })
    expect(readEnv({ TRUST_PROXY: '2' }).TRUST_PROXY).toBe(2)
  })

  it.each([
    'key=1',
    'project',
    'project=',
    'project=-1',
    'project=1.5',
    'project=many',
    'project=1;address=2',
    'toString=1',
    '=1',
  ])('with RATE_LIMITS %s are a fault at start', RATE_LIMITS =>
    expect(faults({ RATE_LIMITS })).toMatch(
      /RATE_LIMITS must be project, credential, address, keys-of-address, sign-in, failed-keys/,
    ),
  )

  it('with an invalid number of trusted proxies are a fault', () =>
    expect(faults({ TRUST_PROXY: 'all' })).toMatch(/TRUST_PROXY/))
})
