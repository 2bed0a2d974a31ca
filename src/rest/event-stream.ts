// Sends server-sent events: one frame per event, a comment as heartbeat, and a bounded buffer.
import { setImmediate } from 'node:timers/promises'
import type { Request, Response } from 'express'
import type { Result } from './prepared.ts'
import { rewritten } from './rewrite.ts'
import type { Route } from './route.ts'

export type StreamOptions = { heartbeatMs: number; maxBufferedBytes: number; retryMs: number }
export const streamDefaults: StreamOptions = { heartbeatMs: 15_000, maxBufferedBytes: 1024 * 1024, retryMs: 3_000 }

type Shape = Pick<Route, 'root' | 'eventId' | 'status' | 'rewrite'> & {
  /** Events are sent without a name, for clients that read only unnamed messages. */
  isUnnamed?: boolean
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

function begin(res: Response, status: number): void {
  res.writeHead(status, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  })
}

/** Ends the connection with a fault, not as the end of the stream, once the written data is sent, or after 5 s. */
function breakOff(res: Response): void {
  res.write(': broken off\n\n', () => res.destroy())
  setTimeout(() => res.destroy(), 5_000).unref()
}

/** Sends frames until the events end or the client leaves. After an error the client resumes from its last event id. */
async function pump(
  res: Response,
  frames: AsyncIterator<string>,
  failed: (error: unknown) => void,
  options: StreamOptions,
): Promise<void> {
  // Written at once, so that the client knows before the first event that it is connected.
  res.write(`retry: ${options.retryMs}\n\n`)
  const heartbeat = setInterval(() => res.write(': quiet\n\n'), options.heartbeatMs)
  heartbeat.unref()
  try {
    for (let next = await frames.next(); !next.done && !res.destroyed; next = await frames.next()) {
      if (next.value !== '') res.write(next.value)
      // A slow client is cut off, not waited for: events are stored, so a client that reconnects loses none.
      if (res.writableLength > options.maxBufferedBytes) res.destroy()
    }
    res.end()
  } catch (error) {
    failed(error)
    breakOff(res)
  } finally {
    clearInterval(heartbeat)
  }
}

/** Throws only before anything is sent; passes later errors to `failed`. */
export async function sendEvents(
  req: Request,
  res: Response,
  events: AsyncGenerator<Result>,
  shape: Shape,
  failed: (error: unknown) => void,
  options: StreamOptions = streamDefaults,
): Promise<void> {
  const close = () => void events.return(undefined).catch(failed)
  if (res.destroyed) return close()
  res.once('close', close)
  const frame = ({ done, value }: IteratorResult<Result, unknown>): IteratorResult<string, void> =>
    done ? { done, value: undefined } : { done: false, value: frameOf(value, shape) }
  const first = events.next().then(frame)
  // A stream without further events ends within microtasks; a stream that waits for events does not.
  const early = await Promise.race([first, setImmediate(null)])
  if (early?.done && req.headers['last-event-id'] !== undefined) {
    // 204 makes an EventSource stop reconnecting.
    res.writeHead(204).end()
    return
  }
  begin(res, shape.status)
  if (req.method === 'HEAD') return void res.end()
  let awaited: Promise<IteratorResult<string, void>> | null = first
  const next = () => {
    const result = awaited ?? events.next().then(frame)
    awaited = null
    return result
  }
  await pump(res, { next }, failed, options)
}
