// The main task end to end: a payment is recorded, sealed, anchored, reported and verified, and followed live over REST
// and GraphQL.
import { createHash } from 'node:crypto'
import { EventSource } from 'eventsource'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let key: string
let receipt: Record<string, string>

beforeAll(async () => {
  service = await startService()
  key = (await service.api.project()).key
  const { json } = await service.api.record(key, {
    reference: 'Invoice <1> & "2"',
    resource_hash: `0x${'AB'.repeat(32)}`,
  })
  receipt = await service.api.anchored(json.receipt_id)
})
afterAll(() => service.stop())

const sha256 = (bytes: Uint8Array) => `0x${createHash('sha256').update(bytes).digest('hex')}`
const get = (path: string, headers: Record<string, string> = {}) => service.api.call('GET', path, { headers })

describe('an anchored receipt', () => {
  it('is shown with its links and integrity fields, without a key', async () => {
    expect(receipt).toEqual({
      id: expect.any(String),
      status: 'anchored',
      bundle_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      ledger_txid: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      flare_txid: receipt.ledger_txid,
      xml_url: `${service.base}/files/${receipt.id}/pain001.xml`,
      bundle_url: `${service.base}/files/${receipt.id}/evidence.zip`,
      resource_hash: `0x${'ab'.repeat(32)}`,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      anchored_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  it('has a bundle whose hash is its bundle hash, and whose download can be revalidated', async () => {
    const response = await fetch(receipt.bundle_url ?? '')
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(receipt.bundle_hash)
    const again = await fetch(receipt.bundle_url ?? '', {
      headers: { 'If-None-Match': response.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('has its messages listed, each with the hash of its download', async () => {
    const messages = async () => (await get(`/v1/iso/messages/${receipt.id}`)).json
    await expect
      .poll(async () => (await messages()).map((m: { type: string }) => m.type).sort())
      .toEqual(['camt.054', 'pain.001', 'pain.002'])
    for (const message of await messages()) {
      expect(Object.keys(message).sort()).toEqual(['created_at', 'sha256', 'type', 'url'])
      expect(sha256(new Uint8Array(await (await fetch(message.url)).arrayBuffer()))).toBe(message.sha256)
    }
    const one = await get(`/v1/iso/messages/${receipt.id}?type=pain.002`)
    expect(one.json.map((m: { type: string }) => m.type)).toEqual(['pain.002'])
  })

  it('has its anchor listed', async () => {
    const { json } = await get(`/v1/anchors/${receipt.id}`)
    expect(json).toEqual([
      {
        chain: 'local',
        txid: receipt.ledger_txid,
        anchored_at: receipt.anchored_at,
        block_number: expect.any(Number),
        block_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        contract: service.app.chains[0].contract,
        finality: 'final',
      },
    ])
  })

  it('has a screening report that names no provider', async () => {
    const { json } = await service.api.call('GET', `/v1/receipts/${receipt.id}/compliance-checks`, { key })
    expect([json.decision, json.checks.map((check: { provider: string }) => check.provider)]).toEqual([
      'unavailable',
      ['none', 'none'],
    ])
    expect((await get(`/v1/receipts/${receipt.id}/compliance-checks`)).status).toBe(401)
    const other = await service.api.project('Other')
    expect(
      (await service.api.call('GET', `/v1/receipts/${receipt.id}/compliance-checks`, { key: other.key })).status,
    ).toBe(404)
  })
})

describe('verification', () => {
  const verify = async (body: object) => (await service.api.call('POST', '/v1/iso/verify', { body })).json

  it('succeeds by each locator and by all together', async () => {
    const { bundle_url, bundle_hash, ledger_txid: txid } = receipt
    for (const body of [
      { bundle_url },
      { bundle_hash },
      { txid },
      { bundle_url, bundle_hash, txid },
      { txid: txid?.toUpperCase().replace('0X', '0x') },
    ]) {
      expect(await verify(body)).toEqual({
        matches_onchain: true,
        bundle_hash,
        ledger_txid: txid,
        flare_txid: txid,
        anchored_at: receipt.anchored_at,
        errors: [],
      })
    }
  })

  it.each([
    ['a hash that was never anchored', () => ({ bundle_hash: `0x${'12'.repeat(32)}` })],
    ['a transaction that does not exist', () => ({ txid: `0x${'12'.repeat(32)}` })],
    [
      'a hash and a transaction that do not belong together',
      () => ({ bundle_hash: `0x${'12'.repeat(32)}`, txid: receipt.ledger_txid }),
    ],
    ['a bundle that is not there', () => ({ bundle_url: `${service.base}/files/${receipt.id}/other.zip` })],
    ['a file that is no bundle', () => ({ bundle_url: receipt.xml_url })],
    ['a URL into a private network', () => ({ bundle_url: 'http://169.254.169.254/latest/meta-data' })],
  ])('never confirms %s', async (_, body) => {
    const answer = await verify(body())
    expect(answer.matches_onchain).toBe(false)
    expect(answer.errors.length).toBeGreaterThan(0)
  })

  it('requires at least one locator', async () => {
    const { status, json } = await service.api.call('POST', '/v1/iso/verify', { body: {} })
    expect([status, json.detail[0].type]).toEqual([422, 'missing'])
  })
})

describe('the event stream', () => {
  type Seen = { id: string; status: string }

  const listen = (path: string) =>
    new Promise<Seen[]>((resolve, reject) => {
      const seen: Seen[] = []
      const source = new EventSource(service.base + path)
      source.addEventListener('update', event =>
        seen.push({ id: event.lastEventId, status: JSON.parse(event.data).status }),
      )
      // The library reconnects when the server ends the stream, and stops at the 204 that follows.
      source.addEventListener('error', event => {
        if (event.code === 204 || source.readyState === EventSource.CLOSED) resolve(seen)
      })
      setTimeout(() => reject(new Error(`the stream did not end; seen ${JSON.stringify(seen)}`)), 20_000).unref()
    })

  it('sends every change once, ends after anchored, and answers a reconnect after the last event with 204', async () => {
    const { json } = await service.api.record(key)
    const seen = await listen(`/v1/iso/events/${json.receipt_id}`)
    const order = ['pending', 'awaiting_anchor', 'anchored']
    expect(seen.map(event => event.status)).toEqual(order.slice(order.length - seen.length))
    expect(seen.length).toBeGreaterThanOrEqual(2)
    const last = seen.at(-1)?.id ?? ''
    expect((await get(`/v1/iso/events/${json.receipt_id}`, { 'Last-Event-ID': last })).status).toBe(204)
  })

  it('resumes after the last seen event, with nothing lost or repeated', async () => {
    const { rows } = await service.app.pool.query('select id from events where receipt_id = $1 order by id', [
      receipt.id,
    ])
    const { text } = await get(`/v1/iso/events/${receipt.id}`, { 'Last-Event-ID': rows[0].id })
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(match => match[1])).toEqual(rows.slice(1).map(row => row.id))
  })

  it('starts again for a client whose last event id is too large, as after a restored backup', async () => {
    const { text } = await get(`/v1/iso/events/${receipt.id}`, { 'Last-Event-ID': '999999999999999999' })
    expect(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}').status).toBe('anchored')
  })

  it('has the whole object in each event', async () => {
    const { text } = await get(`/v1/iso/events/${receipt.id}`)
    const { id, resource_hash, ...view } = receipt
    expect(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '')).toEqual({ receipt_id: id, ...view })
  })

  it.each([
    ['an unknown receipt', '00000000-0000-4000-8000-000000000000', 404],
    ['a malformed id', 'nonsense', 422],
  ])('refuses %s', async (_, id, status) => {
    expect((await get(`/v1/iso/events/${id}`)).status).toBe(status)
  })

  it.each([
    ['distinct connections', false],
    ['a single connection', true],
  ])('is the same over GraphQL with the official client and %s', async (_, singleConnection) => {
    const { json } = await service.api.record(key)
    const client = createClient({ url: `${service.base}/graphql/stream`, singleConnection })
    const statuses: string[] = []
    for await (const { data, errors } of client.iterate<{ receiptEvents: { status: string } }>({
      query: 'subscription ($id: ID!) { receiptEvents(receiptId: $id) { cursor status bundleHash } }',
      variables: { id: json.receipt_id },
    })) {
      expect(errors).toBeUndefined()
      if (data) statuses.push(data.receiptEvents.status)
    }
    client.dispose()
    expect(statuses.at(-1)).toBe('ANCHORED')
    expect(new Set(statuses).size).toBe(statuses.length)
  })
})

describe('a missing object', () => {
  const absent = '00000000-0000-4000-8000-000000000000'
  it.each(['/v1/iso/receipts/', '/v1/iso/messages/', '/v1/anchors/'])(
    '%s answers 404 for an absent id and 422 for a malformed one',
    async path => {
      const missing = await get(path + absent)
      expect([missing.status, missing.json.detail]).toEqual([404, 'not_found'])
      const malformed = await get(`${path}not-a-uuid`)
      expect([malformed.status, malformed.json.detail[0].loc[0]]).toEqual([422, 'path'])
    },
  )

  it('is reported as a problem document on request', async () => {
    const answer = await get(`/v1/iso/receipts/${absent}`, { Accept: 'application/problem+json' })
    expect(answer.headers.get('content-type')).toMatch('application/problem+json')
    expect(answer.json).toMatchObject({
      status: 404,
      code: 'not_found',
      request_id: answer.headers.get('x-request-id'),
    })
  })
})
