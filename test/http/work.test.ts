// Work limits per caller: work is charged by its cost, and no caller can take the capacity that others need.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { statementSemaphore } from '../../src/modules/statements/build.ts'
import { adminKey, roomForAll, type Service, startService } from '../kit/service.ts'

const quotas = {
  project: 2_500,
  address: 1_100,
  'keys-of-address': 9_000,
  'streams-of-project': 3,
  'streams-of-address': 2,
  'answers-of-project': 4,
}

let service: Service
let slow: Awaited<ReturnType<typeof startSlow>>

beforeAll(async () => {
  // The clock is stopped in the middle of a minute; each minute has its own quota.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 60_000) * 60_000 + 30_000 })
  service = await startService({
    TRUST_PROXY: '1',
    ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMITS: `${roomForAll},${Object.entries(quotas)
      .map(([name, quota]) => `${name}=${quota}`)
      .join()}`,
  })
  slow = await startSlow()
})
afterAll(async () => {
  vi.useRealTimers()
  await slow?.stop()
  await service?.stop()
})

/** Starts a server that begins an answer and never finishes it. */
async function startSlow() {
  const open = new Set<ServerResponse>()
  const server = createServer((_, res) => {
    res.writeHead(200, { 'Content-Length': 50_000 }).write('PK')
    open.add(res)
    const drip = setInterval(() => res.write('x'), 100)
    res.on('close', () => {
      clearInterval(drip)
      open.delete(res)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, open, stop: () => new Promise(resolve => server.close(resolve)) }
}

/** Creates a project with 900 payments on that day. */
async function crowdOn(day: string) {
  const crowd = await service.api.project('Crowd')
  await service.app.pool.query(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference, status, booked_at)
     select gen_random_uuid(), $1, n, 'base', 1, 'USDC', 'payer', 'shop', n, 'anchored', $2::date + interval '12 hours' from generate_series(1, 900) as n`,
    [crowd.id, day],
  )
  return crowd
}

let addresses = 0
const anyAddress = () => `198.51.100.${++addresses}`

type Sent = {
  key?: string
  from?: string
  method?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}
const ask = (path: string, { key, from = anyAddress(), method = 'GET', body, headers }: Sent = {}) =>
  service.api.call(method, path, {
    headers: { 'X-Forwarded-For': from, ...headers },
    ...(key !== undefined && { key }),
    ...(body !== undefined && { body }),
  })
const graphql = (query: string, sent: Sent = {}) => ask('/graphql', { ...sent, method: 'POST', body: { query } })
const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

describe('a GET of 1.3 KB that expands to half a billion fields', () => {
  const fragments = Array.from(
    { length: 28 },
    (_, n) => `fragment F${n + 1} on Receipt{a:refundOf{...F${n}}b:refundOf{...F${n}}}`,
  )
  const query = `{receipt(id:"00000000-0000-4000-8000-000000000000"){...F28}}fragment F0 on Receipt{id}${fragments.join('')}`

  it.each(['/graphql', '/graphql/stream'])(
    'is refused by %s, sent by GET or POST, and other callers are served meanwhile',
    async path => {
      const headers = { Accept: path === '/graphql' ? 'application/json' : 'text/event-stream' }
      const sent = [
        ask(`${path}?query=${encodeURIComponent(query)}`, { headers }),
        ask(path, { method: 'POST', body: { query }, headers }),
        ask(path, {
          method: 'POST',
          body: { query: query.replace('{receipt', 'subscription {receiptEvents') },
          headers,
        }),
      ]
      expect((await ask('/v1/ping')).status).toBe(200)
      for (const { text } of await Promise.all(sent)) expect(text).toContain('document_too_large')
    },
  )
})

describe('an operation', () => {
  it('is charged its cost, which the answer reports', async () => {
    const { key } = await service.api.project()
    const first = await graphql('{ me { role } }', { key })
    expect(first.json.extensions.cost).toEqual({
      requested: 1,
      remaining: left(first.headers),
      resetSeconds: expect.any(Number),
    })
    const { json, headers } = await graphql('{ receipts(first: 200) { nodes { id artifacts { nodes { type } } } } }', {
      key,
    })
    expect(json.extensions.cost.requested).toBeGreaterThan(200)
    expect(left(first.headers) - left(headers)).toBe(json.extensions.cost.requested)
    expect((await ask('/v1/receipts?page_size=200', { key })).headers.get('ratelimit')).toMatch(/"project"/)
  })

  it('tells its cost and what is left as a field, to everyone but an administrator', async () => {
    const { key } = await service.api.project()
    const query = 'query Told($n: Int) { rateLimit { cost remaining resetAt } receipts(first: $n) { nodes { id } } }'
    const before = Date.now()
    const { json, headers } = await ask('/graphql', { key, method: 'POST', body: { query, variables: { n: 150 } } })
    const { rateLimit } = json.data
    expect(rateLimit).toMatchObject({ cost: json.extensions.cost.requested, remaining: left(headers) })
    expect(Date.parse(rateLimit.resetAt) - before).toBeGreaterThan(0)
    expect(Date.parse(rateLimit.resetAt) % 60_000).toBe(0)
    expect((await graphql(query, { key: adminKey })).json.data.rateLimit).toBeNull()
    const { json: stranger } = await graphql('{ rateLimit { cost } }')
    expect(stranger.data.rateLimit).toEqual({ cost: 1 })
  })

  it('tells its cost without being run or charged, also when it is too dear, a write or paid', async () => {
    const { key, id } = await service.api.project()
    const dry = (query: string, variables = {}) =>
      ask('/graphql', { key, method: 'POST', body: { query, variables, extensions: { dryRun: true } } })
    const create = 'mutation { createApiKey(input: { label: "dry" }) { key } }'
    const list = 'query ($n: Int) { receipts(first: $n) { nodes { id artifacts { nodes { type } } } } }'
    await dry(list)
    const first = await dry(list, { n: 20 })
    const second = await dry(list, { n: 200 })
    expect(second.json).toEqual({
      data: null,
      extensions: {
        dryRun: true,
        cost: {
          requested: (await ask('/graphql', { key, method: 'POST', body: { query: list, variables: { n: 200 } } })).json
            .extensions.cost.requested,
          maximum: 2_000,
          remaining: first.json.extensions.cost.remaining - 1,
          resetSeconds: expect.any(Number),
        },
      },
    })
    const dear = `{ ${Array.from({ length: 20 }, (_, n) => `a${n}: receipts(first: 200) { nodes { id artifacts { nodes { type } } } }`).join(' ')} }`
    expect((await dry(dear)).json.extensions.cost.requested).toBeGreaterThan(2_000)
    expect((await dry(create)).json.extensions.cost.requested).toBeGreaterThan(5)
    expect((await dry('mutation { recordReceipt(input: {}) { nothing } }')).json.errors[0].extensions.code).toBe(
      'invalid_graphql',
    )
    const { rows } = await service.app.pool.query('select label from api_keys where project_id = $1', [id])
    expect(rows.map(({ label }) => label)).not.toContain('dry')
    for (const dryRun of ['true', 1, {}]) {
      const body = { query: create, extensions: { dryRun } }
      expect((await ask('/graphql', { key, method: 'POST', body })).json.errors[0].extensions.code).toBe(
        'invalid_graphql',
      )
    }
    const byGet = `/graphql?query=${encodeURIComponent('{ me { role } }')}&extensions=${encodeURIComponent('{"dryRun":true}')}`
    expect((await ask(byGet, { key })).status).toBe(400)
  })

  it('that costs more than the remainder is refused with 429 and not executed; a cheaper one still is executed', async () => {
    const { key, id } = await service.api.project()
    const list =
      '{ receipts(first: 200) { nodes { id status artifacts { nodes { type url } } anchors { anchorTx } } } }'
    const answers = []
    for (let asked = 0; asked < 8; asked++) answers.push(await graphql(list, { key }))
    const refused = answers.at(-1)
    expect([refused?.status, refused?.json.errors[0].extensions.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    const make = 'mutation { generateStatement(input: { date: "2020-01-01" }) { statement { id } } }'
    const statement = await graphql(make, { key })
    expect(statement.status).not.toBe(500)
    expect((await ask('/v1/auth/me', { key })).status).toBe(200)
    expect(
      (await service.app.pool.query('select from statements where project_id = $1', [id])).rowCount,
    ).toBeLessThanOrEqual(1)
  })

  it('that exceeds the limit of one operation is refused, whatever the remainder', async () => {
    const list =
      'receipts(first: 200) { nodes { id status artifacts { nodes { type url } } anchors { anchorTx } refunds { nodes { id } } } }'
    const nine = `{ ${Array.from({ length: 9 }, (_, n) => `a${n}: ${list}`).join(' ')} }`
    const { json } = await graphql(nine, { key: (await service.api.project()).key })
    expect(json.errors[0].extensions.code).toBe('document_too_costly')
    expect(json.errors[0].message).toMatch(/costs \d+; one may cost 2000\. Ask/)
  })

  it('is charged to the project, whichever of its keys is used', async () => {
    const { key } = await service.api.project()
    const keys = await Promise.all([1, 2, 3].map(() => service.api.key(key, 'viewer')))
    const before = left((await ask('/v1/auth/me', { key })).headers)
    for (const one of keys) await ask('/v1/auth/me', { key: one })
    expect(left((await ask('/v1/auth/me', { key })).headers)).toBe(before - 4)
  })

  it('is also charged to the address, whichever of many projects sends from it', async () => {
    const from = anyAddress()
    const list =
      '{ receipts(first: 200) { nodes { id status artifacts { nodes { type url } } anchors { anchorTx } } } }'
    const statuses = new Set<string>()
    for (let index = 0; index < 6; index++) {
      const { key } = await service.api.project()
      for (let asked = 0; asked < 5; asked++) {
        const { status, json } = await graphql(list, { key, from })
        statuses.add(
          `${status} ${/keys-of-address/.test(JSON.stringify(json.errors ?? '')) ? 'of the address' : ''}`.trim(),
        )
      }
    }
    expect(statuses).toContain('429 of the address')
  })

  it('with aliases for sixty rendered pages exhausts the quota of an address, and renders no more', async () => {
    const query = `{ ${Array.from({ length: 60 }, (_, n) => `a${n}: file(owner: "00000000-0000-4000-8000-000000000000", name: "pain001.html") { content }`).join(' ')} }`
    const { errors } = (await graphql(query)).json
    expect(errors.length).toBeGreaterThan(10)
    expect(errors[0].extensions).toMatchObject({ code: 'too_many_requests', limit: 'address', actual: 15 })
  })

  it('for the script of GraphiQL is compressed, and its number is limited', async () => {
    const headers = { 'X-Forwarded-For': anyAddress() }
    const script = await fetch(`${service.base}/graphql/graphiql.js`, { headers })
    expect([script.status, script.headers.get('content-encoding')]).toEqual([200, 'gzip'])
    expect(await script.text()).toContain('GraphiQL')
    const statuses = []
    for (let asked = 0; asked < 55; asked++) {
      const { status, body } = await fetch(`${service.base}/graphql/graphiql.js`, { headers })
      await body?.cancel()
      statuses.push(status)
    }
    expect(statuses).toContain(429)
  })
})

describe('keys', () => {
  it('of a project are limited in number, also for concurrent requests', async () => {
    const { key, id } = await service.api.project()
    await service.app.pool.query(
      `insert into api_keys (id, project_id, label, role, key_hash)
       select gen_random_uuid(), $1::uuid, 'x', 'viewer', sha256(gen_random_uuid()::text::bytea) from generate_series(1, 97)`,
      [id],
    )
    const create = () => ask('/v1/auth/api-keys', { key, method: 'POST', body: { label: 'one more' } })
    const statuses = (await Promise.all(Array.from({ length: 8 }, create))).map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, 200, 409, 409, 409, 409, 409, 409])
    expect((await create()).json.detail).toBe('too_many_keys')
    await service.app.pool.query(`update api_keys set revoked_at = now() where project_id = $1 and label = 'x'`, [id])
    expect((await create()).status).toBe(200)
  })
})

describe('statements', () => {
  const day = '2021-03-01'

  it('are charged for their entries before they are built', async () => {
    const { key, id } = await crowdOn(day)
    const make = () =>
      graphql(`mutation { generateStatement(input: { date: "${day}" }) { statement { count } } }`, { key })
    const [first, second] = [await make(), await make()]
    expect(first.json.data).toEqual({ generateStatement: { statement: { count: 900 } } })
    expect(second.json.errors[0].extensions.code).toBe('too_many_requests')
    expect((await service.app.pool.query('select from statements where project_id = $1', [id])).rowCount).toBe(1)
  })

  it('whose caller has disconnected are not built', async () => {
    const crowd = await crowdOn(day)
    const leaving = new AbortController()
    // Another statement is running, so that the slot is occupied.
    const gate = Promise.withResolvers<void>()
    const held = statementSemaphore(service.app).run(
      { subject: 'project:other', isAnonymous: false, isPaid: false, signal: null },
      () => gate.promise,
    )
    const asked = fetch(`${service.base}/graphql`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'Content-Type': 'application/json', 'X-API-Key': crowd.key },
      body: JSON.stringify({
        query: `mutation { generateStatement(input: { date: "${day}", window: "11:00-12:00" }) { statement { id } } }`,
      }),
    })
    const count = async () =>
      Number(
        (await service.app.pool.query('select count(*) from statements where project_id = $1', [crowd.id])).rows[0]
          .count,
      )
    const before = await count()
    await sleep(300)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    gate.resolve()
    await held
    await sleep(1_000)
    expect(await count()).toBe(before)
  })
})

describe('verification', () => {
  const verify = (sent: Sent) => ask('/v1/iso/verify', { method: 'POST', ...sent })

  it('of slow bundles from one address leaves slots for a tenant, and slow downloads are aborted early', async () => {
    const { key } = await service.api.project()
    const from = anyAddress()
    const held = Array.from({ length: 20 }, (_, n) => verify({ from, body: { bundle_url: `${slow.url}/${n}.zip` } }))
    await expect.poll(() => slow.open.size).toBe(4)
    const began = performance.now()
    const own = await Promise.all(
      Array.from({ length: 12 }, (_, n) => verify({ key, body: { bundle_hash: `0x${String(n).padStart(64, '0')}` } })),
    )
    expect(own.map(({ status }) => status)).toEqual(own.map(() => 200))
    expect(slow.open.size).toBeGreaterThan(0)
    const statuses = (await Promise.all(held)).map(({ status }) => status)
    // Each download would occupy its slot for ten seconds without the abort.
    expect(performance.now() - began).toBeLessThan(40_000)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('for many addresses without a key does not take the slots of callers with a key', async () => {
    const { key } = await service.api.project()
    const held = Array.from({ length: 16 }, (_, n) => verify({ body: { bundle_url: `${slow.url}/${n}.zip` } }))
    await expect.poll(() => slow.open.size).toBe(8)
    const own = Array.from({ length: 4 }, (_, n) => verify({ key, body: { bundle_url: `${slow.url}/own-${n}.zip` } }))
    await expect.poll(() => slow.open.size).toBe(12)
    await Promise.all([...held, ...own])
  })
})

describe('event streams', () => {
  const open = async (path: string, headers: Record<string, string>, init: RequestInit = {}) => {
    const leaving = new AbortController()
    const response = await fetch(service.base + path, { ...init, headers, signal: leaving.signal })
    return { status: response.status, close: () => leaving.abort(), text: () => response.text() }
  }

  it('are limited for a project and an address, over REST and GraphQL, and others have their own', async () => {
    const [first, second] = [await service.api.project(), await service.api.project()]
    const { receipt_id } = (await service.api.record(first.key)).json
    await service.app.pool.query(`update receipts set status = 'pending' where id = $1`, [receipt_id])
    await service.app.pool.query(`delete from events where receipt_id = $1 and status = 'anchored'`, [receipt_id])
    const path = `/v1/iso/events/${receipt_id}`
    const query = `subscription { receiptEvents(receiptId: "${receipt_id}") { cursor } }`
    const stream = `/graphql/stream?query=${encodeURIComponent(query)}`
    const events = { Accept: 'text/event-stream' }
    const mine = { 'X-API-Key': first.key, ...events }
    const streams = [await open(path, mine), await open(stream, mine), await open(path, mine)]
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    const refused = await open(path, mine)
    expect([refused.status, JSON.parse(await refused.text()).detail]).toEqual([429, 'too_many_requests'])
    const told = await open(stream, mine)
    expect(await told.text()).toContain('too_many_requests')
    const reserve = await open('/graphql/stream', { 'X-API-Key': first.key }, { method: 'PUT' })
    expect(reserve.status).toBe(429)
    const theirs = [
      await open(path, { 'X-API-Key': second.key, ...events }),
      await open(path, { 'X-Forwarded-For': anyAddress(), ...events }),
    ]
    expect(theirs.map(({ status }) => status)).toEqual([200, 200])
    streams[0]?.close()
    await expect
      .poll(async () => {
        const again = await open(path, mine)
        if (again.status === 200) streams.push(again)
        return again.status
      })
      .toBe(200)
    for (const one of [...streams, ...theirs]) one.close()
  })

  it('are charged for each event, because the whole selection is resolved for each', async () => {
    const { key } = await service.api.project()
    for (let count = 0; count < 3; count++) await service.api.anchored((await service.api.record(key)).json.receipt_id)
    const { json } = await graphql('{ eventCursor }', { key })
    const remaining = async () => left((await ask('/v1/ping', { key })).headers)
    /** Returns what a stream costs until so many events have arrived. */
    const spent = async (after: string, events: number) => {
      const before = await remaining()
      const selection = 'receipt { artifacts { nodes { type url } } anchors { anchorTx } project { name } }'
      const query = `subscription { receiptChanged(after: "${after}") { cursor ${selection} } }`
      const headers = { 'X-API-Key': key, Accept: 'text/event-stream' }
      const response = await fetch(`${service.base}/graphql/stream?query=${encodeURIComponent(query)}`, { headers })
      let text = ''
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        if ((text.match(/^event: next$/gm)?.length ?? 0) >= events) break
      }
      return before - (await remaining())
    }
    const opening = await spent(json.data.eventCursor, 0)
    expect(opening).toBeGreaterThan(3)
    expect(await spent('0', 9)).toBeGreaterThan(opening + 9 * (opening - 3))
  })

  it('that are reserved but not opened count as open, for their caller alone', async () => {
    const from = anyAddress()
    const reserve = (address: string) => ask('/graphql/stream', { from: address, method: 'PUT' })
    expect([(await reserve(from)).status, (await reserve(from)).status, (await reserve(from)).status]).toEqual([
      201, 201, 429,
    ])
    expect((await reserve(anyAddress())).status).toBe(201)
  })
})

describe('stored responses for Idempotency-Keys', () => {
  it('are limited per minute; then a request with a new key is refused before it runs, and others are not', async () => {
    const { key, id } = await service.api.project()
    const create = (label: string, named?: string) =>
      ask('/v1/auth/api-keys', {
        key,
        method: 'POST',
        body: { label },
        ...(named && { headers: { 'Idempotency-Key': named } }),
      })
    const statuses = []
    for (let index = 0; index < 6; index++) statuses.push((await create(`kept ${index}`, `name-${index}`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    expect((await create('kept 0', 'name-0')).headers.get('idempotency-replayed')).toBe('true')
    expect((await create('not kept')).status).toBe(200)
    const { rows } = await service.app.pool.query(
      `select label from api_keys where project_id = $1 and label like '%kept%' order by label`,
      [id],
    )
    expect(rows.map(({ label }) => label)).toEqual(['kept 0', 'kept 1', 'kept 2', 'kept 3', 'not kept'])
    const { rows: left } = await service.app.pool.query(`select from idempotent_requests where key like 'name-%'`)
    expect(left).toHaveLength(4)
  })

  it('are not stored for reads, over REST and GraphQL', async () => {
    const { key } = await service.api.project()
    for (let index = 0; index < 10; index++) {
      const headers = { 'Idempotency-Key': `read-${index}` }
      expect((await graphql('{ me { role } }', { key, headers })).status).toBe(200)
      expect(
        (await ask('/v1/iso/verify', { key, headers, method: 'POST', body: { bundle_hash: `0x${'1'.repeat(64)}` } }))
          .status,
      ).toBe(200)
    }
    expect((await service.app.pool.query(`select from idempotent_requests where key like 'read-%'`)).rowCount).toBe(0)
  })
})
