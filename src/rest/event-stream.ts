// Answers with server-sent events: one frame an event, a comment when it is quiet, nothing buffered without bound.
import { setImmediate } from 'node:timers/promises'
import type { Request, Response } from 'express'
import type { Result } from './prepared.ts'
import type { Route } from './route.ts'

export type StreamOptions = { heartbeatMs: number; maxBufferedBytes: number; retryMs: number }
export const streamDefaults: StreamOptions = { heartbeatMs: 15_000, maxBufferedBytes: 1024 * 1024, retryMs: 3_000 }

type Shape = Pick<Route, 'root' | 'eventId' | 'status'> & {
  /** For clients that read only messages without a name. */
  isUnnamed?: boolean
}

/** One event could not be made; `errors` say why. */
export class EventFailed extends AggregateError {}

/** The text of one event; empty when there is none to tell. */
function frameOf(result: Result, { root, eventId, isUnnamed }: Shape): string {
  if (result.errors?.length) throw new EventFailed(result.errors)
  const value = result.data?.[root]
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

/** Ends as a fault, not as the end of the stream, once what was written is out, or soon in any case. */
function breakOff(res: Response): void {
  res.write(': broken off\n\n', () => res.destroy())
  setTimeout(() => res.destroy(), 5_000).unref()
}

/** Sends frames until the events or the client end. An error ends the connection; the client resumes after its last id. */
async function pump(
  res: Response,
  frames: AsyncIterator<string>,
  failed: (error: unknown) => void,
  options: StreamOptions,
): Promise<void> {
  // Written at once, so that the client knows it is connected before anything happens.
  res.write(`retry: ${options.retryMs}\n\n`)
  const heartbeat = setInterval(() => res.write(': quiet\n\n'), options.heartbeatMs)
  heartbeat.unref()
  try {
    for (let next = await frames.next(); !next.done && !res.destroyed; next = await frames.next()) {
      if (next.value !== '') res.write(next.value)
      // Cut, not waited for: the rows are kept, so a client that returns loses nothing.
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

/** Throws only before anything was sent; what fails later is told to `failed`. */
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
  // A stream that has nothing left to say is done within microtasks; one that waits for news is not.
  const early = await Promise.race([first, setImmediate(null)])
  if (early?.done && req.headers['last-event-id'] !== undefined) {
    // 204 is what tells an EventSource not to connect again.
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
