// graphql-sse's single connection mode: a client reserves a stream (PUT), opens it (GET) and POSTs operations, whose
// results go to that stream. graphql-sse keeps a reservation until a client opens it, so reservations that are never
// opened are closed here. A token begins with the id of the process that keeps its stream.
import { randomUUID } from 'node:crypto'
import type { Response as Answer, Request } from 'express'
import type { Logger } from 'pino'
import type { Allowance } from '../kit/allowance.ts'

const header = 'x-graphql-event-stream-token'
const streamType = 'text/event-stream'
const ours = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>

/** Returns the id of the process that keeps the stream of this request; null where there is none yet. */
export function keeperOf(req: Request): string | null {
  const token = tokenOf(req)
  return req.method !== 'PUT' && token !== undefined && ours.test(token) ? token.slice(0, 8) : null
}

const tokenOf = (req: Request): string | undefined => {
  const token = req.headers[header] ?? req.query.token
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** Opens and cancels a reserved stream, which is the only way to end it from outside. An open stream stays open. */
export async function closeReserved(fetch: Fetch, token: string): Promise<void> {
  const response = await fetch('http://localhost/graphql/stream', { headers: { accept: streamType, [header]: token } })
  await response.body?.cancel()
}

/** Returns a function to call before graphql-sse handles the request. It throws `too_many_requests`. */
export function reservedStreams(
  fetch: Fetch,
  log: Pick<Logger, 'error'>,
  processId: string,
  openWithinMs = 60_000,
) {
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
    // graphql-sse would find `constructor` among its streams, so an unused token replaces a malformed one.
    if (sent !== undefined && !ours.test(sent)) req.headers[header] = randomUUID()
    if (req.headers.accept === streamType) {
      if (sent !== undefined) free(sent)
    } else if (req.method === 'PUT') {
      // Never the token that was sent: the official client sends that of its former stream, which may still be closing,
      // and graphql-sse would refuse it with 409. A token that graphql-sse generates would be unknown here.
      const token = processId + randomUUID().slice(processId.length)
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
 * Tracks the open streams by token. The returned function returns the stream that receives the result of this request's
 * operation, or null when the result is in the request's own response. It throws `too_many_requests`.
 */
export function streamsByToken(): (req: Request, res: Answer, allowance: Allowance) => Answer | null {
  const open = new Map<string, Answer>()
  return (req, res, { openStream }) => {
    const token = tokenOf(req)
    if (token === undefined) return null
    if (req.headers.accept === streamType) {
      // graphql-sse refuses a second stream with the same token, so that must not replace the first stream here.
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
