// What makes two requests the same one: who sent them, their Idempotency-Key, and what they ask for.
import { createHash } from 'node:crypto'
import type { Request } from 'express'
import { invalid } from '../core/errors.ts'
import { actorOf, type Principal } from '../core/principal.ts'
import { addressOf } from '../limits/address.ts'

const header = 'idempotency-key'
const form = /^[\x21-\x7e]{1,255}$/

/** `principal` and `key` name the request, `fingerprint` is its method, path with query, and body. */
export type Asked = { principal: string; key: string; fingerprint: Buffer }

/** Where the issues of this folder stand in a REST request. */
export const headerFeeds = { [header]: ['header', header] }

const refused = (type: string, message: string) => invalid([{ path: [header], message, type }])

export const mismatch = () =>
  refused('idempotency_mismatch', 'This Idempotency-Key was used for another request. Choose a new one.')

export const isNamed = ({ method, headers }: Request): boolean =>
  headers[header] !== undefined && (method === 'POST' || method === 'PUT')

/** Throws `validation_failed` when the key is not one. */
export function asked(req: Request, principal: Principal, body: Buffer): Asked {
  const key = String(req.headers[header])
  if (!form.test(key)) throw refused('string_pattern_mismatch', 'Must be 1 to 255 visible ASCII characters.')
  const fingerprint = createHash('sha256').update(`${req.method} ${req.originalUrl}\n`).update(body).digest()
  const who = principal.kind === 'public' ? `address:${addressOf(req)}` : actorOf(principal)
  return { principal: who, key, fingerprint }
}
