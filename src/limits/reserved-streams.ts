// Streams of graphql-sse's mode with one stream for many operations. They are reserved (PUT), opened (GET) and then answer
// operations that are POSTed. graphql-sse keeps a reservation until somebody opens it, so those that nobody opens are
// closed here.
import { randomUUID } from 'node:crypto'
import type { Response as Answer, Request } from 'express'
import type { Logger } from 'pino'
import type { Allowance } from '../kit/allowance.ts'

const header = 'x-graphql-event-stream-token'
const streamType = 'text/event-stream'
const ours = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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

/** The function returned is asked before the stream endpoint. It throws `too_many_requests`. */
export function reservedStreams(fetch: Fetch, log: Pick<Logger, 'error'>, openWithinMs = 60_000) {
  const waiting = new Map<string, { timer: NodeJS.Timeout; release(): void }>()
  const failed = (error: unknown) => log.error({ err: error }, 'a reserved stream could not be closed')

  function free(token: string): void {
    const reserved = waiting.get(token)
    if (!reserved) return
    clearTimeout(reserved.timer)
    reserved.release()
    waiting.delete(token)
  }

  return (req: Request, { openStream }: Allowance): void => {
    const sent = tokenOf(req)
    // graphql-sse would find `constructor` among its streams. One that is of nobody takes its place.
    if (sent !== undefined && !ours.test(sent)) req.headers[header] = randomUUID()
    if (req.headers.accept === streamType) {
      if (sent !== undefined) free(sent)
    } else if (req.method === 'PUT') {
      // Never the one that is sent: the official client sends that of its former stream, which may still be closing, and
      // graphql-sse would refuse it with 409. What graphql-sse itself makes would be known to it alone.
      const token = randomUUID()
      req.headers[header] = token
      const release = openStream()
      const close = () => {
        free(token)
        closeReserved(fetch, token).catch(failed)
      }
      waiting.set(token, { timer: setTimeout(close, openWithinMs).unref(), release })
    }
  }
}

/**
 * The open streams by token. The function returned gives the stream into which this request's operation is answered, or
 * null for one that is answered by itself. It throws `too_many_requests`.
 */
export function streamsByToken(): (req: Request, res: Answer, allowance: Allowance) => Answer | null {
  const open = new Map<string, Answer>()
  return (req, res, { openStream }) => {
    const token = tokenOf(req)
    if (token === undefined) return null
    if (req.headers.accept === streamType) {
      // One stream a token: a second one is refused, and must not be taken for the first.
      if (open.has(token)) return null
      const release = openStream()
      open.set(token, res)
      res.once('close', () => {
        open.delete(token)
        release()
      })
      return null
    }
    return req.method === 'POST' ? (open.get(token) ?? null) : null
  }
}
