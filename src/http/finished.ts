// Says of each request, once it has ended, what became of it.
import type { Request, Response } from 'express'
import type { RequestNotes } from '../core/scope.ts'
import { addressName, addressOf, networkOf } from '../limits/client-address.ts'
import { isRelayed } from '../ports/tunnels.ts'

export type Finished = RequestNotes & {
  requestId: string
  /** In UPPER CASE. */
  method: string
  /** Such as `/v1/iso/receipts/:rid`; null where none has this path. */
  route: string | null
  /** Null where the client left before an answer began. */
  status: number | null
  durationMs: number
  /** Headers and body, before TLS. */
  bytes: number
  /** The client left before the answer was complete. */
  isAborted: boolean
  /** The answer is a stream, which ends when its client leaves. */
  isStream: boolean
  /** Another process of the service passed it on. */
  isRelayed: boolean
  /** Address of the client, or the network that it belongs to. */
  network: string
}

export function whenFinished(
  req: Request,
  res: Response,
  { requestId, notes }: { requestId: string; notes: RequestNotes },
  tell: (finished: Finished) => void,
): void {
  const began = performance.now()
  const { socket, method } = req
  // Read now: a closed socket no longer knows its peer.
  const address = addressOf(req)
  // A tunnel counts nothing.
  const before = socket.bytesWritten ?? 0
  res.once('close', () =>
    tell({
      ...notes,
      requestId,
      method,
      route: routeOf(req),
      status: res.headersSent ? res.statusCode : null,
      durationMs: Math.round((performance.now() - began) * 10) / 10,
      bytes: (socket.bytesWritten ?? 0) - before,
      isAborted: !res.writableFinished,
      isStream: /^(text\/event-stream|multipart\/mixed)/.test(String(res.getHeader('content-type') ?? '')),
      isRelayed: isRelayed(req),
      network: networkOf(address) ?? address,
    }),
  )
}

/** Describes a request that was refused before its path was looked at. */
export const unread = (
  { requestId, status, code }: { requestId: string; status: number; code: string },
  socket: { remoteAddress?: string | undefined },
  method = '',
): Finished => {
  const address = addressName(socket.remoteAddress ?? 'unknown')
  return {
    ...{ requestId, method, status, codes: [code], project: 'anonymous', network: networkOf(address) ?? address },
    ...{ route: null, operation: null, document: null, cost: 0, durationMs: 0, bytes: 0 },
    ...{ isAborted: false, isStream: false, isRelayed: false },
  }
}

/** The path as it is declared, because the one of the request may hold anything. */
function routeOf({ route, path }: Request): string | null {
  const declared: unknown = route?.path
  if (!Array.isArray(declared)) return typeof declared === 'string' ? declared : null
  return declared.find(one => one === path) ?? declared[0] ?? null
}
