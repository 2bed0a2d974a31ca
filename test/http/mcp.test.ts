// The MCP endpoint, called by both kinds of official clients and by hand: the same tools, rules and errors as REST and
// GraphQL.
import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Caller, eras, refusal } from '../kit/mcp.ts'
import { adminKey, type Service, startService, tipOf } from '../kit/service.ts'

let service: Service
let key: string
let viewer: string
let others: string
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'silent', ALLOWED_ORIGINS: 'https://shop.example' })
  key = (await service.api.project()).key
  viewer = await service.api.key(key, 'viewer')
  others = (await service.api.project('Others')).key
})
afterAll(() => service?.stop())

const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

async function post(body: unknown, headers: Record<string, string> = {}) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${service.base}/mcp`, { method: 'POST', headers: { ...json, ...headers }, body: sent })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, json: text === '' ? null : JSON.parse(text) }
}

const callOf = (name: string, args: object = {}, _meta?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, ...(_meta && { _meta }) },
})

/** Returns the result of a call, without the request id. */
async function said(name: string, args: object, by?: string) {
  const { json } = await post(callOf(name, args), by === undefined ? {} : { 'X-API-Key': by })
  const { isError = false, content } = json.result
  const { request_id: _, ...told } = JSON.parse(content[0].text)
  return { isError, ...told }
}

describe.each(['2026-07-28', '2025-11-25'] as const)('a client of %s', era => {
  let mine: Caller
  let anyone: Caller
  beforeAll(async () => {
    mine = await eras[era](
      service.base,
      era === '2026-07-28' ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key },
    )
    anyone = await eras[era](service.base)
  })
  afterAll(() => Promise.all([mine?.close(), anyone?.close()]))

  it('records a payment, waits until it is anchored, verifies it, and generates a statement', async () => {
    expect((await mine.list()).map(({ name }) => name)).toContain('record_payment')
    const tip = tipOf()
    const first = await mine.call('record_payment', tip)
    expect(first).toMatchObject({ isError: false, structuredContent: { status: 'pending', matched_by: null } })
    const id = first.structuredContent?.receipt_id
    const again = await mine.call('record_payment', tip)
    expect(again.structuredContent).toMatchObject({ receipt_id: id, matched_by: 'settlement' })
    await service.api.anchored(String(id))
    const { structuredContent: receipt } = await anyone.call('get_receipt', { receipt_id: id })
    expect(receipt).toMatchObject({ id, status: 'anchored' })
    const verified = await anyone.call('verify_evidence', { bundle_url: receipt?.bundle_url })
    expect(verified.structuredContent).toMatchObject({ matches_onchain: true, errors: [] })
    expect(JSON.parse(verified.content[0]?.text ?? '')).toEqual(verified.structuredContent)
    // The name in the paths of the REST API.
    expect((await anyone.call('get_receipt', { rid: id })).structuredContent).toEqual(receipt)
    const { structuredContent: messages } = await anyone.call('list_messages', { receipt_id: id })
    expect(messages).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ type: 'pain.001' })]) })
    const { structuredContent: statement } = await mine.call('generate_statement')
    expect(statement).toMatchObject({ type: 'camt.053', count: expect.any(Number) })
    const kept = await mine.call('get_statement', { statement_id: statement?.id })
    expect(kept.structuredContent).toEqual(statement)
  })

  it('gets input errors as a result that it can parse, and a protocol error for an unknown tool', async () => {
    const wrong = await mine.call('record_payment', { ...tipOf(), amount: 1, chain: '', colour: 'red' })
    expect(wrong.isError).toBe(true)
    const { detail, issues = [] } = refusal(wrong)
    expect(detail).toBe('validation_failed')
    expect(issues.map(({ argument }) => argument.join('.')).sort()).toEqual(['amount', 'chain', 'colour'])
    expect(refusal(await anyone.call('get_receipt', { rid: randomUUID() })).detail).toBe('not_found')
    await expect(anyone.call('drop_tables')).rejects.toThrow('There is no such tool.')
  })
})

it('lists valid schemas, which each paid tool’s example and answer satisfy', async () => {
  const ajv = new Ajv2020({ strict: false })
  // The package is a CommonJS module, whose default export is the function.
  addFormats.default(ajv)
  const { tools } = await import('../../rest/generated/tools.ts')
  for (const { name, inputSchema, outputSchema, example, answer } of tools) {
    const [takes, answers] = [ajv.compile(inputSchema), ajv.compile(outputSchema)]
    if (example !== null) expect([name, takes(example), takes.errors]).toEqual([name, true, null])
    if (answer !== null) expect([name, answers(answer), answers.errors]).toEqual([name, true, null])
  }
})

describe('a caller', () => {
  it('may do what its key may, and without a key only what is public', async () => {
    const tip = tipOf()
    for (const args of [tip, {}])
      expect(await said('record_payment', args)).toMatchObject({ isError: true, detail: 'unauthenticated' })
    expect(await said('record_payment', tip, viewer)).toMatchObject({ isError: true, detail: 'forbidden' })
    expect(await said('record_payment', tip, adminKey)).toMatchObject({ detail: 'project_key_required' })
    expect(await said('list_receipts', {}, viewer)).toMatchObject({ isError: false })
    for (const name of ['list_receipts', 'list_payments', 'list_audit_events', 'who_am_i', 'generate_statement'])
      expect(await said(name, {})).toMatchObject({ isError: true, detail: 'unauthenticated' })
    expect(await said('get_evidence_keys', {})).toMatchObject({ isError: false })
  })

  it('cannot distinguish another project’s objects from absent ones', async () => {
    const { receipt_id: rid } = await said('record_payment', tipOf(), key)
    const { id: statement_id } = await said('generate_statement', {}, key)
    const absent = randomUUID()
    expect(await said('get_compliance_report', { receipt_id: rid }, key)).toMatchObject({ isError: false })
    expect(await said('get_compliance_report', { receipt_id: rid }, others)).toEqual(
      await said('get_compliance_report', { receipt_id: absent }, others),
    )
    expect(await said('get_statement', { statement_id }, others)).toEqual(
      await said('get_statement', { statement_id: absent }, others),
    )
    expect(await said('list_receipts', {}, others)).toMatchObject({ items: [], total: 0 })
    const { items } = await said('list_audit_events', {}, others)
    expect(JSON.stringify(items)).not.toContain(rid)
  })

  it('gets 401 for an invalid key in any header', async () => {
    for (const headers of [
      { 'X-API-Key': 'qtk_wrong' },
      { Authorization: 'Bearer qtk_wrong' },
      { Authorization: 'Basic eDp5' },
    ]) {
      const answer = await post(callOf('get_evidence_keys'), headers)
      expect([answer.status, answer.json.error.data.code]).toEqual([401, 'unauthenticated'])
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    }
  })

  it('cannot be a page of an origin that is not allowed', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await post(ping, { Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(ping, { Origin: 'null' })).status).toBe(403)
    expect((await post(ping, { Origin: 'https://shop.example' })).status).toBe(200)
    expect((await post(ping, { Origin: service.base })).status).toBe(200)
    const asks = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' }
    const preflight = await fetch(`${service.base}/mcp`, { method: 'OPTIONS', headers: asks })
    const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
    const sent = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'x-api-key']
    expect(allowed).toEqual(expect.arrayContaining(sent))
  })

  afterEach(() => vi.useRealTimers())
  /** Stops the clock, because each minute has its own quota. */
  const stopClock = () => vi.useFakeTimers({ toFake: ['Date'] })
  const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

  it('is charged for the list of tools, also with unknown parameters', async () => {
    const remaining = async (params: object) =>
      left((await post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }, { 'X-API-Key': key })).headers)
    stopClock()
    const before = await remaining({})
    expect(before - (await remaining({ name: 5 }))).toBeGreaterThan(10)
  })

  it('is charged the cost of the route for a tool, beside the message', async () => {
    const spent = async (args: object) => {
      const [before, after] = [
        await post(callOf('who_am_i'), { 'X-API-Key': key }),
        await post(callOf('list_receipts', args), { 'X-API-Key': key }),
      ]
      return left(before.headers) - left(after.headers)
    }
    stopClock()
    expect((await spent({ page_size: 200 })) - (await spent({ page_size: 1 }))).toBeGreaterThan(30)
  })
})

describe('an Idempotency-Key', () => {
  it('carries out a write once, and replays the result of the same request', async () => {
    const headers = { 'X-API-Key': key, 'Idempotency-Key': randomUUID() }
    const first = await post(callOf('generate_statement'), headers)
    const second = await post(callOf('generate_statement'), headers)
    expect(second.json).toEqual(first.json)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    const other = await post(callOf('generate_statement', { window: '00:00-12:00' }), headers)
    expect([other.status, other.json.error.data.code]).toEqual([422, 'validation_failed'])
  })

  it('stores no refusal: the same request is carried out once it is possible', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const unpaid = await post(callOf('paid_fx_rate'), headers)
    expect(unpaid.json.result.isError).toBe(true)
    expect((await post(callOf('paid_fx_rate'), headers)).headers.get('idempotency-replayed')).toBeNull()
  })
})

describe('a request that no client sends', () => {
  it('is refused cheaply: batches, other methods, unreadable and oversized bodies', async () => {
    const call = callOf('get_evidence_keys')
    for (const batch of [
      [],
      [call],
      Array.from({ length: 1_000 }, () => ({ jsonrpc: '2.0', id: 1, method: 'ping' })),
    ]) {
      const { status, json } = await post(batch)
      expect([400, 413]).toContain(status)
      expect(json).toMatchObject({ id: null, error: { code: -32_600 } })
    }
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const odd: [body: string, status: number][] = [
      ['', 400],
      ['{', 400],
      ['"x"', 400],
      ['null', 400],
      ['{}', 400],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400],
      [
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_receipt","arguments":{"rid":${deep}}}}`,
        413,
      ],
      [
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_receipt","_meta":{"x":${'['.repeat(1_500)}${']'.repeat(1_500)}}}}`,
        200,
      ],
      [JSON.stringify({ ...call, padding: 'x'.repeat(300_000) }), 413],
    ]
    for (const [body, status] of odd)
      expect([body.slice(0, 60), (await post(body)).status]).toEqual([body.slice(0, 60), status])
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${service.base}/mcp`, { method, headers: json })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect((await post(call, { 'Content-Type': 'text/plain' })).status).toBe(415)
  })

  it('with an unknown method is refused, even if the protocol defines the method', async () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    for (const method of [
      'resources/list',
      'prompts/get',
      'sampling/createMessage',
      '__proto__',
      'subscriptions/listen',
    ]) {
      const old = await post({ jsonrpc: '2.0', id: 1, method, params: {} })
      expect([method, old.json.error?.code]).toEqual([method, -32_601])
      const present = await post(
        { jsonrpc: '2.0', id: 1, method, params: { _meta: envelope, notifications: {} } },
        { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method },
      )
      // Nothing may be streamed: a shutdown would cut the stream, and it would occupy a slot.
      expect([method, present.headers.get('content-type')]).toEqual([method, expect.stringContaining('json')])
      expect(present.json.error).toBeDefined()
    }
  })

  it('without an id is not carried out, because no caller waits for it', async () => {
    const tip = tipOf()
    const { id: _, ...call } = callOf('record_payment', tip)
    expect((await post(call, { 'X-API-Key': key })).status).toBe(202)
    expect(await said('list_receipts', { reference: tip.reference }, key)).toMatchObject({ total: 0 })
  })

  it('with the name of an inherited property as tool or argument is refused', async () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      expect((await post(callOf(name))).json.error.code).toBe(-32_602)
    for (const name of ['constructor', 'toString'])
      expect(await said('get_receipt', { rid: randomUUID(), [name]: 1 })).toMatchObject({ detail: 'validation_failed' })
  })

  it('with a body that never ends delays no other request', async () => {
    const { hostname, port } = new URL(service.base)
    const slow = Array.from({ length: 50 }, () => {
      const socket = net.connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"jsonrpc"`,
      )
      return socket
    })
    expect(await said('get_evidence_keys', {})).toMatchObject({ isError: false })
    for (const socket of slow) socket.destroy()
  })
})
