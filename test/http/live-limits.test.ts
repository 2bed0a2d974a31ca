// A live list never ends by luck: a client repeats a request that was refused, and waits in a stream that is silent.
// What a stream says as it ends is its last word to every client.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { createClient } from 'graphql-sse'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { credentials, roomForAll, type Service, startService } from '../kit/service.ts'

const quota = 60
let service: Service
let windowStart: number
let clock: { mockReturnValue(ms: number): unknown }
beforeAll(async () => {
  // Without a worker nothing happens to a receipt but what a test writes.
  service = await startService({ ROLES: 'api', RATE_LIMITS: `${roomForAll},project=${quota}` })
})
afterAll(() => service?.stop())
afterEach(() => vi.restoreAllMocks())

/** Stops the clock that counts the windows this long before the end of the present one. */
function stopClock(beforeEndMs: number): void {
  windowStart = Math.floor(Date.now() / 60_000) * 60_000
  clock = vi.spyOn(Date, 'now').mockReturnValue(windowStart + 60_000 - beforeEndMs)
}
const nextWindow = () => clock.mockReturnValue(windowStart + 60_001)

/** A project with a pending receipt, and with this much left of its limit. */
async function projectWith(left: number) {
  const project = await service.api.project()
  const { receipt_id } = (await service.api.record(project.key)).json
  await leave(project.key, left)
  return { ...project, receipt_id }
}

async function leave(key: string, left: number): Promise<void> {
  for (;;) {
    const { headers } = await service.api.call('GET', '/v1/ping', { key })
    if (Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]) <= left) return
  }
}

async function happen({ id, receipt_id }: { id: string; receipt_id: string }, count: number): Promise<string[]> {
  const { rows } = await service.app.pool.query<{ id: string }>(
    `insert into events (type, project_id, receipt_id, status)
     select 'receipt.pending', $1, $2, 'pending' from generate_series(1, ${count}) returning id`,
    [id, receipt_id],
  )
  return rows.map(row => row.id)
}

const query =
  'subscription { receiptChanged { cursor receipt { artifacts { nodes { type url } } anchors { anchorTx } } } }'
const events = { Accept: 'text/event-stream' }

/** Opens a stream. Returns its response, and what it has said so far. */
async function open(method: string, path: string, key: string, headers: Record<string, string>, body?: object) {
  const request = http.request(service.base + path, {
    method,
    headers: { ...credentials(key), ...(body && { 'Content-Type': 'application/json' }), ...headers },
  })
  request.on('error', () => undefined).end(body && JSON.stringify(body))
  const [response]: [http.IncomingMessage] = (await once(request, 'response')) as never
  let text = ''
  response
    .setEncoding('utf8')
    .on('data', chunk => (text += chunk))
    .on('error', () => undefined)
  return { response, text: () => text, close: () => request.destroy() }
}

it.each([
  ['a stream of its own', '/graphql/stream', { query }],
  ['a stream at /graphql', '/graphql', { query }],
  ['a query over a stream', '/graphql/stream', { query: '{ receipts(first: 40) { nodes { id } } }' }],
])('with next to nothing left, %s is refused with 429 and Retry-After', async (_, path, body) => {
  stopClock(30_000)
  const seen: number[] = []
  for (const left of [1, 2, 3]) {
    const { key } = await projectWith(left)
    const { response, text, close } = await open('POST', path, key, events, body)
    seen.push(response.statusCode ?? 0)
    if (response.statusCode !== 429) {
      expect(text()).not.toContain('too_many_requests')
      close()
      continue
    }
    await once(response, 'end')
    expect(response.headers['retry-after']).toBe('30')
    expect(response.headers['content-type']).toContain('application/json')
    expect(JSON.parse(text()).errors[0].extensions.code).toBe('too_many_requests')
  }
  expect(seen).toContain(429)
})

it('with next to nothing left, an operation for a reserved stream is refused, and may be repeated', async () => {
  stopClock(30_000)
  const project = await projectWith(12)
  const reserved = await open('PUT', '/graphql/stream', project.key, {})
  await once(reserved.response, 'end')
  const token = { 'X-GraphQL-Event-Stream-Token': reserved.text() }
  const stream = await open('GET', '/graphql/stream', project.key, { ...token, ...events })
  await leave(project.key, 2)
  const ask = async () => {
    const answer = await open('POST', '/graphql/stream', project.key, token, {
      query,
      extensions: { operationId: 'one' },
    })
    await once(answer.response, 'end')
    return answer
  }
  const refused = await ask()
  expect([refused.response.statusCode, refused.response.headers['retry-after']]).toEqual([429, '30'])
  nextWindow()
  expect((await ask()).response.statusCode).toBe(202)
  const [id] = await happen(project, 1)
  await expect.poll(stream.text).toContain(`"cursor":"${id}"`)
  expect(stream.text()).not.toContain('too_many_requests')
  stream.close()
})

it('an open stream whose limit is used up is silent, and goes on in the next window with nothing left out', async () => {
  // One second, because a stream waits as long as `Retry-After` says.
  stopClock(1_000)
  const project = await projectWith(quota - 4)
  const url = `/v1/iso/events/${project.receipt_id}`
  const streams = [
    await open('POST', '/graphql/stream', project.key, events, { query }),
    await open('POST', '/graphql', project.key, events, { query }),
    await open('GET', url, project.key, events),
  ]
  expect(streams.map(({ response }) => response.statusCode)).toEqual([200, 200, 200])
  const ended = vi.fn()
  for (const { response } of streams) response.once('close', ended)
  const count = 40
  const ids = await happen(project, count)
  const said = () => streams.map(({ text }) => ids.filter(id => new RegExp(`"${id}"|^id: ${id}$`, 'm').test(text())))
  // So much that no stream has all of it.
  await expect.poll(() => said().every(({ length }) => length > 0)).toBe(true)
  await vi.waitFor(async () => {
    const { status } = await service.api.call('GET', '/v1/ping', { key: project.key })
    expect(status).toBe(429)
  })
  expect(said().some(({ length }) => length < count)).toBe(true)
  for (let minute = 1; minute < 12 && said().some(({ length }) => length < count); minute++) {
    clock.mockReturnValue(windowStart + (minute + 1) * 60_000 - 1_000)
    await new Promise(resolve => setTimeout(resolve, 3_300))
  }
  expect(said()).toEqual([ids, ids, ids])
  for (const { text } of streams) expect(text()).not.toMatch(/too_many_requests|event: complete|broken off/)
  expect(ended).not.toHaveBeenCalled()
  for (const { close } of streams) close()
})

it('six official clients that meet an empty limit all have their list in the next window', async () => {
  stopClock(1_000)
  const project = await projectWith(1)
  const clients = Array.from({ length: 6 }, () =>
    createClient({
      url: `${service.base}/graphql/stream`,
      headers: credentials(project.key),
      retryAttempts: 20,
      retry: () => new Promise(resolve => setTimeout(resolve, 200)),
    }),
  )
  const seen = clients.map(() => [] as string[])
  const over = vi.fn()
  clients.forEach((client, index) => {
    client.subscribe<{ receiptChanged: { cursor: string } }>(
      { query: 'subscription { receiptChanged { cursor } }', extensions: { of: randomUUID() } },
      {
        next: ({ data }) => void seen[index]?.push(data?.receiptChanged.cursor ?? ''),
        error: over,
        complete: over,
      },
    )
  })
  await new Promise(resolve => setTimeout(resolve, 600))
  nextWindow()
  const ids: string[] = []
  await vi.waitFor(
    async () => {
      ids.push(...(await happen(project, 1)))
      await new Promise(resolve => setTimeout(resolve, 200))
      expect(seen.every(({ length }) => length > 0)).toBe(true)
    },
    { timeout: 10_000 },
  )
  expect(over).not.toHaveBeenCalled()
  for (const cursors of seen) expect(ids).toEqual(expect.arrayContaining(cursors))
  for (const client of clients) client.dispose()
})
