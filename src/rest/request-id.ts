// Assigns every request an id: the caller's own when it is harmless to log and echo, otherwise a new UUID.
import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import { traceIdOf } from '../core/scope.ts'

const harmless = /^[A-Za-z0-9._:-]{1,128}$/

/** Returns the id of this request, and assigns it now if no middleware has done so. */
export function requestIdOf(req: Request, res: Response): string {
  const known: unknown = res.locals.requestId
  if (typeof known === 'string') return known
  const sent = req.headers['x-request-id']
  const id = typeof sent === 'string' && harmless.test(sent) ? sent : randomUUID()
  res.locals.requestId = id
  res.setHeader('X-Request-ID', id)
  return id
}

/** Returns the trace that the caller is in, as W3C Trace Context says it; null for none, or one that is not valid. */
export function traceparentOf({ headers: { traceparent } }: Request): string | null {
  return typeof traceparent === 'string' && traceIdOf(traceparent) !== null ? traceparent : null
}
