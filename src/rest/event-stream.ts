// Sends server-sent events: one frame per event, a comment as heartbeat, and a bounded buffer.
import { setImmediate } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { breakOff, keepOpen, responseSink } from '../kit/live/response.ts'
import type { LiveStream } from '../kit/live/sink.ts'
import type { Result } from './prepared.ts'
import { rewritten } from './rewrite.ts'
import type { Route } from './route.ts'

export type StreamOptions = { heartbeatMs: number; retryMs: number }
export const streamDefaults: StreamOptions = { heartbeatMs: 15_000, retryMs: 3_000 }

type Shape = Pick<Route, 'root' | 'eventId' | 'rewrite'> & {
  /** Events are sent without a name, for clients that read only unnamed messages. */
  isUnnamed: boolean
}

/** An event could not be resolved; `errors` are the causes. */
export class EventFailed extends AggregateError {}

/** Returns the text of one event; empty when the result has no value. */
function frameOf(result: Result, { root, eventId, rewrite, isUnnamed }: Shape): string {
  if (result.errors?.length) throw new EventFailed(result.errors)
  const value = rewritten(result.data?.[root], rewrite, {})
  if (value === null || value === undefined) return ''
  const name = isUnnamed ? '' : 'event: update\n'
  if (eventId === null || typeof value !== 'object') return `${name}data: ${JSON.stringify(value)}\n\n`
  const fields = new Map<string, unknown>(Object.entries(value))
  const id = fields.get(eventId)
  fields.delete(eventId)
  return `id: ${id}\n${name}data: ${JSON.stringify(Object.fromEntries(fields))}\n\n`
}

/** Returns the function that encodes the events of a route. One function serves all streams, so that they share it. */
export const encoderOf = (shape: Shape) => (result: Result) => Buffer.from(frameOf(result, shape))

type Sent = {
  events: LiveStream<Result>
  encode(result: Result): Buffer
  status: number
  failed(error: unknown): void
  options: StreamOptions
}

/**
 * Resolves when the response has begun, so that nothing of the request stays in memory as long as the stream. Throws
 * only before; passes later errors to `failed`, and the client resumes after its last event.
 */
export async function sendEvents(
  req: Request,
  res: Response,
  { events, encode, status, failed, options }: Sent,
): Promise<void> {
  if (res.destroyed) return events.stop()
  res.once('close', events.stop)
  const begin = () => {
    if (res.headersSent) return
    res.writeHead(status, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    })
    // Written at once, so that the client knows before the first event that it is connected.
    res.write(`retry: ${options.retryMs}\n\n`)
    keepOpen(res, 'rest', ': quiet\n\n', options.heartbeatMs)
  }
  const sink = responseSink(res, 'rest', encode)
  const write = (frame: Buffer) => {
    begin()
    return sink.write(frame)
  }
  const following = events.follow({ ...sink, write })
  // A stream without further events ends within microtasks; a stream that waits for events does not.
  const isOpen = await Promise.race([following, setImmediate(true)]).catch((error: unknown) => {
    if (!res.headersSent) throw error
    return true
  })
  if (!isOpen && !res.headersSent && req.headers['last-event-id'] !== undefined) {
    // 204 makes an EventSource stop reconnecting.
    res.writeHead(204).end()
    return
  }
  begin()
  following.then(
    () => res.end(),
    error => {
      failed(error)
      breakOff(res)
    },
  )
  if (req.method === 'HEAD') res.end()
}
