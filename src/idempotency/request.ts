// The identity of a request with an Idempotency-Key: its caller, its key and its content.
import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { invalid } from '../core/errors.ts'
import { actorOf, type Principal } from '../core/principal.ts'
import { addressOf } from '../limits/client-address.ts'

const header = 'idempotency-key'
const form = /^[\x21-\x7e]{1,255}$/

/** `principal` and `key` identify the request; `fingerprint` is the SHA-256 of method, path with query, and body. */
export type IdempotentRequest = {
  principal: string
  by: Principal
  key: string
  fingerprint: Buffer
  /** The request has several root fields, of which some can be carried out and others refused. */
  several: boolean
}

/** Locates the issues of an Idempotency-Key in a REST request. */
export const headerFeeds = { [header]: ['header', header] }

const refused = (type: string, message: string) => invalid([{ path: [header], message, type }])

export const mismatch = () =>
  refused('idempotency_mismatch', 'This Idempotency-Key was used for another request. Choose a new one.')

export const noStreams = () => refused('value_error', 'A stream cannot be replayed: send the mutation to /graphql.')

export const hasIdempotencyKey = ({ method, headers }: Request): boolean =>
  headers[header] !== undefined && (method === 'POST' || method === 'PUT')

/** Callers without credentials may share an address: a paid response is only for the caller that sends its payment. */
function strangerOf(req: Request): string {
  const payment = req.headers['payment-signature']
  const paid = payment === undefined ? '' : ` ${createHash('sha256').update(String(payment)).digest('hex')}`
  return `address:${addressOf(req)}${paid}`
}

/** Returns the Idempotency-Key of a request that has one. Throws `validation_failed` when it is malformed. */
export function keyOf(req: Request): string {
  const key = String(req.headers[header])
  if (!form.test(key)) throw refused('string_pattern_mismatch', 'Must be 1 to 255 visible ASCII characters.')
  return key
}

/** Throws `validation_failed` when the key is malformed. */
export function idempotentRequest(
  req: Request,
  principal: Principal,
  body: Buffer,
  several = false,
): IdempotentRequest {
  const key = keyOf(req)
  const fingerprint = createHash('sha256').update(`${req.method} ${req.originalUrl}\n`).update(body).digest()
  const who = principal.kind === 'public' ? strangerOf(req) : actorOf(principal)
  return { principal: who, by: principal, key, fingerprint, several }
}
