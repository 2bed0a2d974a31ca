// Reserved streams of graphql-sse behind a proxy that sends each request to the next process: one process keeps a
// stream, and its requests arrive at both.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClientSchema, getIntrospectionQuery } from 'graphql'
import { type Client, createClient, NetworkError } from 'graphql-sse'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Child, startChild } from '../kit/child.ts'
import { type RoundRobin, startRoundRobin } from '../kit/round-robin.ts'
import { adminKey, apiBeside, roomForAll, type Service, startService } from '../kit/service.ts'

const header = 'X-GraphQL-Event-Stream-Token'

let service: Service
let folder: string
let children: [Child, Child]
let bases: [string, string]
let project: { id: string; key: string }
let receipt: string
const stops: (() => Promise<void>)[] = []

const startProcess = async (): Promise<Child> => {
  const child = await startChild({
    ...apiBeside(service),
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_API_KEYS: adminKey,
    RATE_LIMITS: roomForAll,
    LOG_LEVEL: 'warn',
    FX_ECB_URL: 'off',
  })
  stops.push(() => child.end('SIGKILL'))
  return child
}

beforeAll(async () => {
  // Without a worker a receipt stays pending, and its streams stay open.
  service = await startService({ ROLES: 'api' })
  folder = await mkdtemp(join(tmpdir(), 'quittance-streams-'))
  children = [await startProcess(), await startProcess()]
  bases = [children[0].url(), children[1].url()]
  project = await service.api.project()
  receipt = (await service.api.record(project.key)).json.receipt_id
})
afterAll(async () => {
  await Promise.all(stops.map(stop => stop()))
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A proxy of which the `start`-th process gets the first request. */
async function startProxy(start: number): Promise<RoundRobin> {
  const proxy = await startRoundRobin(bases, start)
  stops.push(proxy.stop)
  return proxy
}

/** Returns the first result and ends the operation. */
async function first(client: Client<true>, query: string): Promise<unknown> {
  try {
    for await (const { data, errors } of client.iterate({ query })) return errors ?? data
  } catch (error) {
    return error instanceof NetworkError ? error.message : error
  }
}

const mutation = `mutation { recordReceipt(input: { settlementTx: "0x1", chain: "base", amount: "1", currency: "USDC", senderWallet: "0x2", receiverWallet: "0x3", reference: "one" }) { receipt { reference } } }`

it.each([0, 1, 0, 1, 0, 1])('the official client gets every result (first process: %s)', async start => {
  const { url } = await startProxy(start)
  const headers = { 'X-API-Key': project.key }
  const client = createClient({ url: `${url}/graphql/stream`, singleConnection: true, retryAttempts: 0, headers })
  const cursor = await service.api.graphql('{ eventCursor }', { key: project.key })
  const query = `subscription { receiptChanged(after: "${cursor.data.eventCursor}") { receipt { id } } }`
  // This subscription has no end, so that the connection stays open for the others.
  const changes = client.iterate({ query })
  const change = changes.next()
  for (let round = 0; round < 3; round++) {
    expect(await first(client, 'query { me { role } }')).toEqual({ me: { role: 'PROJECT_ADMIN' } })
    expect(await first(client, mutation)).toEqual({ recordReceipt: { receipt: { reference: 'one' } } })
    const events = `subscription { receiptEvents(receiptId: "${receipt}") { status } }`
    expect(await first(client, events)).toEqual({ receiptEvents: { status: 'PENDING' } })
  }
  const { json } = await service.api.record(project.key)
  let { value } = await change
  while (value.data.receiptChanged.receipt.id !== json.receipt_id) value = (await changes.next()).value
  await changes.return?.()
  client.dispose()
})

const send = (
  base: string,
  method: string,
  token: string,
  more: { key?: string; body?: object; search?: string } = {},
) =>
  fetch(`${base}/graphql/stream${more.search ?? ''}`, {
    method,
    headers: {
      'X-API-Key': more.key ?? project.key,
      'Content-Type': 'application/json',
      ...(method === 'GET' && { Accept: 'text/event-stream' }),
      ...(token && { [header]: token }),
    },
    ...(more.body && { body: JSON.stringify(more.body) }),
  })

const reserve = async (base: string) => (await send(base, 'PUT', '')).text()
const operation = (query: string, operationId = '1') => ({ query, extensions: { operationId } })

/** Returns the events of a stream as they arrive. */
async function* eventsOf({ body }: Response): AsyncGenerator<{ event: string; data: string }> {
  let text = ''
  for await (const chunk of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const messages = (text + chunk).split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: ?(.*)$/.exec(message) ?? []
      if (event) yield { event, data }
    }
  }
}

it.each([
  ['the stream', 1, 0, 0],
  ['the operation', 0, 1, 0],
  ['the end of the operation', 0, 0, 1],
  ['everything', 1, 1, 1],
])('%s may arrive at another process than the reservation', async (_, opening, operating, ending) => {
  const token = await reserve(bases[0])
  const stream = await send(bases[opening] ?? '', 'GET', token)
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const events = eventsOf(stream)
  const asked = operation(`subscription { receiptEvents(receiptId: "${receipt}") { status } }`)
  expect((await send(bases[operating] ?? '', 'POST', token, { body: asked })).status).toBe(202)
  const expected = { id: '1', payload: { data: { receiptEvents: { status: 'PENDING' } } } }
  const { value } = await events.next()
  expect([value?.event, JSON.parse(value?.data ?? '')]).toEqual(['next', expected])
  const ended = await send(bases[ending] ?? '', 'DELETE', token, { search: '?operationId=1' })
  expect(ended.status).toBe(200)
  // The id may be used again, because the operation has ended.
  expect((await send(bases[operating] ?? '', 'POST', token, { body: asked })).status).toBe(202)
  await stream.body?.cancel().catch(() => undefined)
})

it('results of operations that came before the stream was opened arrive in their order', async () => {
  const token = await reserve(bases[0])
  for (const id of ['1', '2', '3'])
    expect((await send(bases[1], 'POST', token, { body: operation('{ me { role } }', id) })).status).toBe(202)
  const events = eventsOf(await send(bases[1], 'GET', token))
  const ids: string[] = []
  while (ids.length < 3) {
    const { value } = await events.next()
    if (value?.event === 'next') ids.push(JSON.parse(value.data).id)
  }
  expect(ids).toEqual(['1', '2', '3'])
  await events.return(undefined)
})

it('requests and results of any size pass', async () => {
  const token = await reserve(bases[0])
  const stream = await send(bases[1], 'GET', token)
  const events = eventsOf(stream)
  // Each is larger than what an end of the connection sends before the other has read it.
  const body = { ...operation(getIntrospectionQuery()), variables: { unused: 'ü'.repeat(100_000) } }
  expect((await send(bases[1], 'POST', token, { body })).status).toBe(202)
  const { value } = await events.next()
  expect(value?.data.length).toBeGreaterThan(100_000)
  expect(buildClientSchema(JSON.parse(value?.data ?? '').payload.data).getQueryType()?.name).toBe('Query')
  await events.return(undefined)
})

it('a refusal comes as from the process that keeps the stream', async () => {
  const token = await reserve(bases[0])
  const at = (base: string) => send(base, 'POST', token, { body: { query: '{ me { role } }' } })
  const [own, relayed] = [await at(bases[0]), await at(bases[1])]
  expect([relayed.status, await relayed.json()]).toEqual([own.status, await own.json()])
  expect(relayed.status).toBe(400)
  const unknown = await send(
    bases[1],
    'POST',
    token.replace(/.$/, last => (last === '0' ? '1' : '0')),
    {
      body: operation('{ me { role } }'),
    },
  )
  expect([unknown.status, (await unknown.json()).errors[0].extensions.code]).toEqual([404, 'not_found'])
})

it.each([0, 1])('another project neither reads, writes nor ends (at process %s)', async at => {
  const base = bases[at] ?? ''
  const { key } = await service.api.project('Other')
  const token = await reserve(bases[0])
  expect((await send(base, 'GET', token, { key })).status).toBe(404)
  const stream = await send(bases[1], 'GET', token)
  const body = operation('{ me { role } }')
  expect((await send(base, 'POST', token, { key, body })).status).toBe(404)
  expect((await send(base, 'DELETE', token, { key, search: '?operationId=1' })).status).toBe(404)
  expect((await send(base, 'POST', token, { key: 'wrong', body })).status).toBe(401)
  expect((await send(base, 'POST', token, { body })).status).toBe(202)
  await stream.body?.cancel()
})

it('an operation has the rights of the key that sends it', async () => {
  const token = await reserve(bases[0])
  const events = eventsOf(await send(bases[1], 'GET', token))
  const viewer = await service.api.key(project.key, 'viewer')
  expect((await send(bases[1], 'POST', token, { key: viewer, body: operation(mutation) })).status).toBe(202)
  const { value } = await events.next()
  expect(JSON.parse(value?.data ?? '').payload.errors[0].extensions.code).toBe('forbidden')
  await events.return(undefined)
})

it('a request that another process answers is charged once', async () => {
  const { id, key } = await service.api.project('Charged')
  const token = await (await send(bases[0], 'PUT', '', { key })).text()
  const used = async () => {
    const sum = 'select coalesce(sum(used), 0)::int as used from rate_windows where bucket = $1'
    return (await service.app.pool.query(sum, [`project:${id}`])).rows[0].used
  }
  for (let count = 0; count < 10; count++) await send(bases[1], 'DELETE', token, { key, search: '?operationId=1' })
  await expect.poll(used).toBe(11)
})

it('a stream ends with the key that opened it', async () => {
  const query = 'mutation { createApiKey(input: { label: "ends", role: VIEWER }) { key apiKey { id } } }'
  const { key, apiKey } = (await service.api.graphql(query, { key: project.key })).data.createApiKey
  const token = await (await send(bases[0], 'PUT', '', { key })).text()
  const stream = await send(bases[1], 'GET', token, { key })
  const ended = stream.text().then(
    () => 'ended',
    () => 'ended',
  )
  await service.api.call('DELETE', `/v1/auth/api-keys/${apiKey.id}`, { key: project.key })
  expect(await ended).toBe('ended')
})

it('when the keeping process dies, its streams end at others, its tokens are unknown, and the client continues', async () => {
  const keeper = await startProcess()
  const token = await (await send(keeper.url(), 'PUT', '')).text()
  const stream = await send(bases[0], 'GET', token)
  const ended = stream.text().then(
    () => 'ended',
    () => 'ended',
  )
  let target = keeper.url()
  const connected: number[] = []
  const client = createClient({
    url: () => `${target}/graphql/stream`,
    fetchFn: (url: string, init: RequestInit) =>
      fetch(init.method === 'PUT' ? url : url.replace(target, bases[0]), init),
    singleConnection: true,
    retry: async () => undefined,
    retryAttempts: 20,
    headers: { 'X-API-Key': project.key },
    on: { connected: () => void connected.push(1) },
  })
  const events = client.iterate({ query: `subscription { receiptEvents(receiptId: "${receipt}") { status } }` })
  expect((await events.next()).value.data).toEqual({ receiptEvents: { status: 'PENDING' } })
  target = bases[1]
  await keeper.end('SIGKILL')
  const body = operation('{ me { role } }')
  expect((await send(bases[0], 'POST', token, { body })).status).toBe(404)
  expect((await send(bases[1], 'DELETE', token, { search: '?operationId=1' })).status).toBe(404)
  expect(await ended).toBe('ended')
  expect((await events.next()).value.data).toEqual({ receiptEvents: { status: 'PENDING' } })
  expect(connected).toHaveLength(2)
  await events.return?.()
  client.dispose()
})

it.each([0, 1])(
  'a process that stops ends its streams, kept or passed on, and exits (reserved at %s)',
  async reserving => {
    const stopping = await startProcess()
    const at = [stopping.url(), bases[0]]
    const token = await reserve(at[reserving] ?? '')
    const stream = await send(at[1 - reserving] ?? '', 'GET', token)
    await stopping.end('SIGTERM')
    expect(await stream.text()).toMatch(/retry: 1000\n\n$/)
    expect([stopping.process.exitCode, stopping.said()]).toEqual([0, expect.not.stringContaining('"level":40')])
  },
)

it('streams that are passed on end when PostgreSQL ends the connections, and others can be opened then', async () => {
  const pass = async () => {
    const token = await reserve(bases[0])
    return [token, await send(bases[1], 'GET', token)] as const
  }
  const ended = (await pass())[1].text().then(
    () => 'ended',
    () => 'ended',
  )
  await service.app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'quittance events' and datname = current_database()`,
  )
  expect(await ended).toBe('ended')
  const works = async () => {
    const [token, stream] = await pass()
    const { status } = await send(bases[1], 'POST', token, { body: operation('{ me { role } }') })
    await stream.body?.cancel()
    return status
  }
  await expect.poll(() => works().catch(() => 'broken')).toBe(202)
})

it('what goes through PostgreSQL cannot be read there', async () => {
  const token = await reserve(bases[0])
  const listener = new pg.Client({ connectionString: service.databaseUrl })
  await listener.connect()
  let told = ''
  listener.on('notification', ({ payload = '' }) => {
    told += payload
    told += payload.split(' ').map(word => Buffer.from(word, 'base64').toString('latin1'))
  })
  await listener.query(`listen process_${token.slice(0, 8)}`)
  const secret = 'a value of the request'
  await send(bases[1], 'POST', token, { body: { ...operation('{ me { role } }'), variables: { secret } } })
  await expect.poll(() => told).toContain(' message ')
  await expect.poll(async () => (await send(bases[1], 'GET', token)).status).toBe(200)
  expect(told).not.toContain(secret)
  expect(told).not.toContain(project.key)
  expect(told).not.toContain(token)
  await listener.end()
})
