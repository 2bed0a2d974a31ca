// Server-sent events: what a client receives, when it stops reconnecting, and what a client that does not read costs.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import { describe, expect, it } from 'vitest'
import { type Streams, serve } from '../kit/rest-server.ts'

type Event = { id: string; status: string }

/** Yields the events, then waits for further events that never come, until it is stopped. */
function waiting(events: Event[], stopped: () => void = () => {}): AsyncGenerator<Event> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const rest = events.slice()
  const generator: AsyncGenerator<Event> = {
    async next() {
      const value = rest.shift()
      if (value) return { done: false, value }
      await promise
      return { done: true, value: undefined }
    },
    async return() {
      stopped()
      resolve()
      return { done: true, value: undefined }
    },
    throw: error => Promise.reject(error),
    [Symbol.asyncIterator]: () => generator,
    [Symbol.asyncDispose]: async () => {},
  }
  return generator
}

async function* all(events: Event[], failure?: Error): AsyncGenerator<Event> {
  yield* events
  if (failure) throw failure
}

const history: Event[] = [
  { id: '1', status: 'pending' },
  { id: '2', status: 'anchored' },
]
const resumable: Streams = {
  a: last => all(history.filter(({ id }) => last === null || Number(id) > Number(last))),
}

describe('an event stream', () => {
  it('is read by an EventSource, which resumes after the last id and stops at 204, without missing or repeating an event', async () => {
    await using server = await serve(resumable)
    const source = new EventSource(`${server.url}/v1/events/a`)
    const seen: unknown[] = []
    const stopped = new Promise<number | undefined>(resolve => {
      source.addEventListener('error', ({ code }) => source.readyState === source.CLOSED && resolve(code))
    })
    source.addEventListener('update', ({ data, lastEventId }) => seen.push([lastEventId, JSON.parse(data)]))
    expect(await stopped).toBe(204)
    expect(seen).toEqual([
      ['1', { status: 'pending' }],
      ['2', { status: 'anchored' }],
    ])
  })

  it('has headers that prevent buffering by proxies, and frames in the exact form', async () => {
    await using server = await serve(resumable)
    const response = await fetch(`${server.url}/v1/events/a`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(await response.text()).toBe(
      'retry: 10\n\nid: 1\nevent: update\ndata: {"status":"pending"}\n\nid: 2\nevent: update\ndata: {"status":"anchored"}\n\n',
    )
  })

  it('opens at once although nothing has happened yet, and sends comments while it is quiet', async () => {
    await using server = await serve({ a: () => waiting([]) }, { heartbeatMs: 20 })
    const response = await fetch(`${server.url}/v1/events/a`, { headers: { 'Last-Event-ID': '2' } })
    expect(response.status).toBe(200)
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk)
      if (text.includes(': quiet\n\n: quiet\n\n')) break
    }
    expect(text).toContain('retry: 10\n\n')
  })

  it('that has no events left and was never followed is an empty stream, not 204', async () => {
    await using server = await serve({ a: () => all([]) })
    const response = await fetch(`${server.url}/v1/events/a`)
    expect([response.status, await response.text()]).toEqual([200, 'retry: 10\n\n'])
  })

  it('that cannot be opened is an ordinary error', async () => {
    await using server = await serve({ b: () => all([], new TypeError('secret')) })
    const unknown = await fetch(`${server.url}/v1/events/nothing`)
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { detail: 'not_found' }])
    const broken = await fetch(`${server.url}/v1/events/b`)
    expect([broken.status, await broken.json()]).toMatchObject([500, { detail: 'internal_error' }])
    expect(server.logged).toHaveLength(1)
  })

  it('whose first event cannot be serialised is an ordinary error', async () => {
    await using server = await serve({ a: () => all([{ id: '1', status: null as never }]) })
    expect((await fetch(`${server.url}/v1/events/a`)).status).toBe(500)
  })

  it('that fails later ends the connection, so that the client reconnects', async () => {
    await using server = await serve({ a: () => all(history.slice(0, 1), new Error('database gone')) })
    const response = await fetch(`${server.url}/v1/events/a`)
    await expect(response.text()).rejects.toThrow()
    expect(server.logged).toHaveLength(1)
  })

  it('ends its source when the client disconnects', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await using server = await serve({ a: () => waiting(history, resolve) })
    const controller = new AbortController()
    const response = await fetch(`${server.url}/v1/events/a`, { signal: controller.signal })
    expect(response.status).toBe(200)
    controller.abort()
    await promise
  })

  it('answers HEAD without following anything', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await using server = await serve({ a: () => waiting(history, resolve) })
    const response = await fetch(`${server.url}/v1/events/a`, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    await promise
  })

  it('reads no further events for a client that does not read, instead of buffering them', async () => {
    let made = 0
    async function* endless(): AsyncGenerator<Event> {
      for (;;) {
        made++
        yield { id: String(made), status: 'x'.repeat(10_000) }
        await sleep(0)
      }
    }
    await using server = await serve({ a: () => endless() })
    const { port, hostname } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.write('GET /v1/events/a HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.pause()
    let last = -1
    while (last !== made || made === 0) {
      last = made
      await sleep(200)
    }
    // Includes the operating system's buffers and our limit, and is far less than an endless stream.
    expect(made * 10_000).toBeLessThan(32 * 1024 * 1024)
    socket.destroy()
  })
})
