// Streams of graphql-sse that were reserved (PUT) and not opened yet. It keeps them until somebody opens them, so those
// that nobody opens are closed here.
import { randomUUID } from 'node:crypto'
import type { Response as Answer, Request } from 'express'
import type { Logger } from 'pino'
import { AppError } from '../core/errors.ts'

const header = 'x-graphql-event-stream-token'
const streamType = 'text/event-stream'
const limits = { openWithinMs: 60_000, atMost: 10_000 }

type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>

const tokenOf = (req: Request): string | undefined => {
  const token = req.headers[header] ?? req.query.token
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** Opens a reserved stream and lets go of it: the only way to end one from outside. One that is open stays so. */
export async function closeReserved(fetch: Fetch, token: string): Promise<void> {
  const response = await fetch('http://localhost/graphql/stream', { headers: { accept: streamType, [header]: token } })
  await response.body?.cancel()
}

/** The function returned is asked before the stream endpoint; it throws `too_many_requests`. */
export function reservedStreams(fetch: Fetch, log: Pick<Logger, 'error'>, { openWithinMs, atMost } = limits) {
  const waiting = new Map<string, NodeJS.Timeout>()
  const failed = (error: unknown) => log.error({ err: error }, 'a reserved stream could not be closed')

  return (req: Request): void => {
    if (req.headers.accept === streamType) {
      const token = tokenOf(req)
      if (token === undefined) return
      clearTimeout(waiting.get(token))
      waiting.delete(token)
    } else if (req.method === 'PUT') {
      if (waiting.size >= atMost)
        throw new AppError('too_many_requests', 'Too many streams are reserved.', { retryAfterSeconds: 60 })
      // Chosen here where the caller has not, because its own choice would be known to graphql-sse alone.
      const token = tokenOf(req) ?? randomUUID()
      req.headers[header] = token
      if (waiting.has(token)) return
      const close = () => {
        waiting.delete(token)
        closeReserved(fetch, token).catch(failed)
      }
      waiting.set(token, setTimeout(close, openWithinMs).unref())
    }
  }
}

/**
 * Of graphql-sse's mode with one stream for many operations: the open stream by its token. The function returned gives the
 * stream into which this request's operation is answered, or null for one that is answered by itself.
 */
export function streamsByToken(): (req: Request, res: Answer) => Answer | null {
  const open = new Map<string, Answer>()
  return (req, res) => {
    const token = tokenOf(req)
    if (token === undefined) return null
    if (req.headers.accept === streamType) {
      // One stream a token: a second one is refused, and must not be taken for the first.
      if (open.has(token)) return null
      open.set(token, res)
      res.once('close', () => open.delete(token))
      return null
    }
    return req.method === 'POST' ? (open.get(token) ?? null) : null
  }
}
