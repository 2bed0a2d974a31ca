// graphql-sse's single connection mode: a client reserves a stream (PUT), opens it (GET) and POSTs operations, whose
// results go to that stream. graphql-sse keeps a reservation until a client opens it, so reservations that are never
// opened are closed here. A token begins with the id of the process that keeps its stream.
import { randomUUID } from 'node:crypto'
import type { Response as Answer, Request } from 'express'
import type { Logger } from 'pino'
import { AppError } from '../core/errors.ts'
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

/**
 * Returns a function to call before graphql-sse handles a request. It returns the stream that receives the result of
 * this request's operation, or null when the result is in the request's own response. It throws `too_many_requests`,
 * and `not_found` for a stream that another project reserved.
 */
export function reservedStreams(
  fetch: Fetch,
  log: Pick<Logger, 'error'>,
  processId: string,
  openWithinMs = 60_000,
): (req: Request, res: Answer, allowance: Allowance) => Answer | null {
  const waiting = new Map<string, { timer: NodeJS.Timeout; owner: string | null; release(): void }>()
  const open = new Map<string, { res: Answer; owner: string | null }>()
  const failed = (error: unknown) => log.error({ err: error }, 'a reserved stream could not be closed')

  function free(token: string): void {
    const reserved = waiting.get(token)
    if (!reserved) return
    clearTimeout(reserved.timer)
    reserved.release()
    waiting.delete(token)
  }

  function reserve(req: Request, allowance: Allowance): void {
    // Never the token that was sent: the official client sends that of its former stream, which may still be closing,
    // and graphql-sse would refuse it with 409. A token that graphql-sse generates would be unknown here.
    const token = processId + randomUUID().slice(processId.length)
    req.headers[header] = token
    const release = allowance.openStream()
    const close = () => {
      free(token)
      closeReserved(fetch, token).catch(failed)
    }
    waiting.set(token, { timer: setTimeout(close, openWithinMs).unref(), owner: ownerOf(allowance), release })
  }

  return (req, res, allowance) => {
    const token = tokenOf(req)
    // graphql-sse would find `constructor` among its streams, so an unused token replaces a malformed one.
    if (token !== undefined && !ours.test(token)) req.headers[header] = randomUUID()
    const isOpening = req.headers.accept === streamType
    if (!isOpening && req.method === 'PUT') reserve(req, allowance)
    else if (token !== undefined) {
      const known = open.get(token) ?? waiting.get(token)
      const owner = known?.owner ?? null
      // A browser's EventSource sends no credentials.
      const isEventSource = isOpening && allowance.isAnonymous
      if (owner !== null && ownerOf(allowance) !== owner && !isEventSource)
        throw new AppError('not_found', 'Stream not found')
      // graphql-sse refuses a second stream with the same token, so that must not replace the first stream here.
      if (isOpening && !open.has(token)) {
        free(token)
        const release = allowance.openStream()
        open.set(token, { res, owner })
        res.once('close', () => {
          open.delete(token)
          release()
        })
      } else if (!isOpening && req.method === 'POST') return open.get(token)?.res ?? null
    }
    return null
  }
}

/** Returns the caller to whose credentials a stream belongs; null without credentials. */
const ownerOf = ({ isAnonymous, subject }: Allowance): string | null => (isAnonymous ? null : subject)
