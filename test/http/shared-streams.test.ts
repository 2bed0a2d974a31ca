// Streams that ask for the same are served by one execution, and each of them still is its caller's own stream.
import { once } from 'node:events'
import http from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { adminKey, credentials, type Service, startService } from '../kit/service.ts'

let service: Service
let project: { id: string; key: string }
let receipt: string
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

beforeEach(async () => {
  project = await service.api.project()
  receipt = (await service.api.record(project.key)).json.receipt_id
  await service.api.anchored(receipt)
  // The stream of an anchored receipt would end.
  await service.app.pool.query(`update receipts set status = 'pending' where id = $1`, [receipt])
  await service.app.pool.query(`update events set status = 'pending' where receipt_id = $1`, [receipt])
})
afterEach(() => vi.restoreAllMocks())

/** Writes events about the receipt, and returns their ids. */
async function happen(count = 1): Promise<string[]> {
  const { rows } = await service.app.pool.query<{ id: string }>(
    `insert into events (type, project_id, receipt_id, status)
     select 'receipt.pending', $1, $2, 'pending' from generate_series(1, ${count}) returning id`,
    [project.id, receipt],
  )
  return rows.map(({ id }) => id)
}

type Asked = { query: string; variables?: Record<string, unknown>; key?: string; path?: string; base?: string }

/** Opens a stream and collects its events. */
async function open({ query, variables, key, path = '/graphql/stream', base = service.base }: Asked) {
  const request = http.request(base + path, {
    method: 'POST',
    headers: {
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
      ...(key !== undefined && credentials(key)),
    },
  })
  request.end(JSON.stringify({ query, variables }))
  const [response]: [http.IncomingMessage] = (await once(request, 'response')) as never
  expect(response.statusCode).toBe(200)
  return collected(request, response)
}

async function openRest() {
  const request = http.get(`${service.base}/v1/iso/events/${receipt}`)
  const [response]: [http.IncomingMessage] = (await once(request, 'response')) as never
  return collected(request, response)
}

function collected(request: http.ClientRequest, response: http.IncomingMessage) {
  const events: { data?: Record<string, { cursor: string } & Record<string, unknown>>; errors?: unknown }[] = []
  let [text, rest, isOver] = ['', '', false]
  response.setEncoding('utf8').on('data', chunk => {
    text += chunk
    const messages = (rest + chunk).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const [, data] = /^data: (.+)$/m.exec(message) ?? []
      if (data) events.push(JSON.parse(data))
    }
  })
  response.on('close', () => (isOver = true)).on('error', () => undefined)
  request.on('error', () => undefined)
  const cursors = () => events.map(({ data }) => Object.values(data ?? {})[0]?.cursor)
  return { response, events, cursors, text: () => text, isOver: () => isOver, close: () => request.destroy() }
}

type Stream = ReturnType<typeof collected>
function closeAll(streams: Stream[]): void {
  for (const { close } of streams) close()
}

const changes = 'subscription ($after: ID) { receiptChanged(after: $after) { cursor receipt { id reference } } }'

describe('streams that ask for the same', () => {
  it('are read and resolved once, at both doors, and get the same bytes', async () => {
    const { data } = await service.api.graphql('{ eventCursor }', { key: project.key })
    const streams = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        open({
          query: changes,
          key: project.key,
          path: index % 2 === 0 ? '/graphql/stream' : '/graphql',
          // With a cursor and without one.
          variables: index % 3 === 0 ? { after: data.eventCursor } : {},
        }),
      ),
    )
    const rest = await Promise.all(Array.from({ length: 12 }, openRest))
    await expect.poll(() => rest.every(({ events }) => events.length === 1)).toBe(true)
    const { calls } = vi.spyOn(service.app.pool, 'query').mock
    const statements = (name: string) => calls.filter(([asked]) => JSON.stringify(asked)?.includes(`"name":"${name}"`))
    const [id] = await happen()
    await expect.poll(() => streams.every(one => one.cursors().includes(id))).toBe(true)
    await expect.poll(() => rest.every(({ events }) => events.length === 2)).toBe(true)
    expect(statements('project-events')).toHaveLength(1)
    expect(statements('receipt-events-later')).toHaveLength(1)
    // One for GraphQL and one for REST, or both in one statement: never one for each stream.
    expect(statements('receipts-by-id').length).toBeLessThanOrEqual(2)
    for (const one of streams) expect(one.text()).toBe(streams[0]?.text())
    for (const one of rest) expect(one.text()).toBe(rest[0]?.text())
    closeAll([...streams, ...rest])
  })

  it('are each charged for each event', async () => {
    // Without a worker the receipt stays pending, and no event is charged but those of this test.
    const limited = await startService({ ROLES: 'api', RATE_LIMITS: '' })
    const own = await limited.api.project()
    const { receipt_id } = (await limited.api.record(own.key)).json
    const left = async () => {
      const { headers } = await limited.api.call('GET', '/v1/ping', { key: own.key })
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
    const [count, events] = [5, 20]
    const query =
      'subscription { receiptChanged { cursor receipt { artifacts { nodes { type url } } anchors { anchorTx } } } }'
    // The clock is stopped, because each minute has its own quota. `expect.poll` would advance one of `useFakeTimers`.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    const before = await left()
    const streams = await Promise.all(
      Array.from({ length: count }, () => open({ query, key: own.key, base: limited.base })),
    )
    const opened = await left()
    await limited.app.pool.query(
      `insert into events (type, project_id, receipt_id, status)
       select 'receipt.pending', $1, $2, 'pending' from generate_series(1, ${events})`,
      [own.id, receipt_id],
    )
    await expect.poll(() => streams.map(one => one.cursors().length)).toEqual(streams.map(() => events))
    const after = await left()
    clock.mockRestore()
    // Opening a stream costs as much as an event, but rounded up. A ping costs 1.
    const [opening, spent] = [before - opened - 1, opened - after - 1]
    expect(opening).toBeGreaterThan(count)
    expect(spent).toBeGreaterThanOrEqual(events * (opening - count))
    expect(spent).toBeLessThanOrEqual(events * opening)
    closeAll(streams)
    await limited.stop()
  })
})

describe('streams of different access', () => {
  it('never share what they show', async () => {
    const stranger = await service.api.project('Stranger')
    const query = `subscription { receiptEvents(receiptId: "${receipt}") { cursor receipt { project { id } } } }`
    const callers = { owner: project.key, viewer: await service.api.key(project.key, 'viewer'), admin: adminKey }
    const others = { stranger: stranger.key, anybody: undefined }
    const openAs = async (key: string | undefined) => open({ query, ...(key !== undefined && { key }) })
    const own = await Promise.all(Object.values(callers).map(openAs))
    const theirs = await Promise.all(Object.values(others).map(openAs))
    // A second stream of each caller joins the group of the first.
    const again = await Promise.all([...Object.values(callers), ...Object.values(others)].map(openAs))
    const [id] = await happen()
    const shown = (stream: Stream) => {
      const { data } = stream.events.find(event => event.data?.receiptEvents?.cursor === id) ?? {}
      return (data?.receiptEvents?.receipt as { project: { id: string } | null } | undefined)?.project
    }
    for (const stream of [...own, ...again.slice(0, own.length)])
      await expect.poll(() => shown(stream)).toEqual({ id: project.id })
    for (const stream of [...theirs, ...again.slice(own.length)]) await expect.poll(() => shown(stream)).toBeNull()
    closeAll([...own, ...theirs, ...again])
  })

  it('each get the events of their own variables', async () => {
    const query =
      'subscription ($filter: ReceiptFilter) { receiptChanged(filter: $filter) { cursor matches receipt { id } } }'
    const [all, none] = await Promise.all([
      open({ query, key: project.key, variables: { filter: { currencies: ['USDC'] } } }),
      open({ query, key: project.key, variables: { filter: { statuses: ['ANCHORED'] } } }),
    ])
    await happen()
    const matches = (stream: Stream) => stream.events.map(({ data }) => data?.receiptChanged?.matches)
    await expect.poll(() => matches(all)).toEqual([true])
    await expect.poll(() => matches(none)).toEqual([false])
    closeAll([all, none])
  })
})

it('a revoked key is cut, and the streams of other keys in its group go on', async () => {
  const create = 'mutation { createApiKey(input: { label: "stream", role: PROJECT_ADMIN }) { key apiKey { id } } }'
  const { key, apiKey } = (await service.api.graphql(create, { key: project.key })).data.createApiKey
  // The first stream reads for the group.
  const first = await open({ query: changes, key })
  const others = await Promise.all(Array.from({ length: 3 }, () => open({ query: changes, key: project.key })))
  const [before] = await happen()
  await expect.poll(() => [first, ...others].every(one => one.cursors().includes(before))).toBe(true)
  expect((await service.api.call('DELETE', `/v1/auth/api-keys/${apiKey.id}`, { key: project.key })).status).toBe(200)
  await expect.poll(first.isOver).toBe(true)
  const after = await happen(3)
  await expect.poll(() => others.map(one => one.cursors())).toEqual(others.map(() => [before, ...after]))
  expect(first.cursors()).toEqual([before])
  closeAll(others)
})

it('a reader that does not read gets no more than a connection holds, and then everything, while others go on', async () => {
  const large = Array.from({ length: 60 }, (_, index) => `f${index}: data`).join(' ')
  const query = `subscription ($after: ID) { webhookEvents(after: $after) { cursor ${large} } }`
  const [slow, fast] = await Promise.all([open({ query, key: project.key }), open({ query, key: project.key })])
  slow.response.pause()
  const { calls } = vi.spyOn(service.app.pool, 'query').mock
  const readings = () => calls.filter(([asked]) => JSON.stringify(asked)?.includes('"name":"project-events"')).length
  const ids: string[] = []
  for (let round = 0; round < 20; round++) {
    ids.push(...(await happen(100)))
    await expect.poll(() => fast.cursors().length).toBe(ids.length)
  }
  expect(fast.cursors()).toEqual(ids)
  const before = readings()
  slow.response.resume()
  await expect.poll(() => slow.cursors().length).toBe(ids.length)
  expect(slow.cursors()).toEqual(ids)
  // Rows that were not sent are not kept in memory. They are read again.
  expect(readings() - before).toBeGreaterThan(2)
  closeAll([slow, fast])
})

it('a stream that resumes after a cursor joins its group without a loss or a repetition', async () => {
  // Slow enough to resolve that streams join while the group is in the middle of a page.
  const query =
    'subscription ($after: ID) { receiptChanged(after: $after) { cursor receipt { artifacts { nodes { type } } anchors { id } } } }'
  const restless = Array.from({ length: 6 }, () => [] as string[])
  const wanted = 600
  const { data } = await service.api.graphql('{ eventCursor }', { key: project.key })
  const steady = await open({ query, key: project.key })
  const following = restless.map(async (seen, index) => {
    while (seen.length < wanted) {
      const variables = { after: seen.at(-1) ?? data.eventCursor }
      const stream = await open({ query, key: project.key, variables })
      const enough = 1 + ((index * 7 + seen.length) % 40)
      while (stream.cursors().length < Math.min(enough, wanted - seen.length))
        await new Promise(resolve => setTimeout(resolve, 1))
      stream.close()
      seen.push(...stream.cursors().map(String))
    }
  })
  const ids: string[] = []
  const late: { since: string | undefined; stream: Stream }[] = []
  while (ids.length < wanted) {
    ids.push(...(await happen(1 + (ids.length % 23))).slice(0, wanted - ids.length))
    late.push({ since: ids.at(-1), stream: await open({ query, key: project.key }) })
  }
  await Promise.all(following)
  await expect.poll(() => steady.cursors().length).toBeGreaterThanOrEqual(wanted)
  for (const seen of [steady.cursors(), ...restless]) expect(seen.slice(0, wanted)).toEqual(ids)
  // A stream without a cursor begins with the first event after it was opened.
  for (const { since, stream } of late) {
    const missed = ids.slice(ids.indexOf(String(since)) + 1)
    await expect.poll(() => stream.cursors().slice(0, missed.length)).toEqual(missed)
  }
  closeAll([steady, ...late.map(({ stream }) => stream)])
})
