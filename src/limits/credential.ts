// The credential of a request: an API key in X-API-Key, or a session's token in Authorization (RFC 6750).
import type { IncomingHttpHeaders } from 'node:http'
import { AppError, invalidToken } from '../core/errors.ts'
import { looksLikeKey, looksLikeToken } from '../core/secrets.ts'

/** Returns the bearer token of a request; null without one. A malformed one is the empty text. */
function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  if (authorization === undefined || !/^Bearer(?![^ ])/i.test(authorization)) return null
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
}

/**
 * Takes an API key from Authorization, for clients that can send a key in no other way. Of `Basic` it is the password.
 */
export function takeKeyFrom(schemes: readonly ('Bearer' | 'Basic')[], headers: IncomingHttpHeaders): void {
  if (headers.authorization === undefined || headers['x-api-key'] !== undefined) return
  // A malformed header becomes the empty key, which is refused as unknown.
  const [, written = '', value = ''] = /^(\w+) +(\S+)$/.exec(headers.authorization) ?? []
  const scheme = schemes.find(known => known.toLowerCase() === written.toLowerCase())
  const key =
    scheme === 'Basic'
      ? Buffer.from(value, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : value
  if (!looksLikeToken(key)) headers['x-api-key'] = scheme === undefined ? '' : key
}

/**
 * Returns an API key, or a text that begins like a token and so is no API key; null without credentials. Other schemes
 * of Authorization, and beside an API key other bearer tokens, are those of a proxy in front of the service. Throws
 * `unauthenticated` for a value in the wrong header, and `malformed_request` for both an API key and a token.
 */
export function credentialOf(headers: IncomingHttpHeaders): string | null {
  const key = headers['x-api-key']
  const bearer = bearerOf(headers)
  if (typeof key === 'string') {
    if (looksLikeToken(key)) throw new AppError('unauthenticated', 'Send a session’s token as `Authorization: Bearer`.')
    if (bearer !== null && looksLikeToken(bearer))
      throw new AppError('malformed_request', 'Send either `X-API-Key` or the token of a session, not both.')
    return key
  }
  if (bearer === null || looksLikeToken(bearer)) return bearer
  throw invalidToken(
    looksLikeKey(bearer)
      ? 'This is an API key: send it as `X-API-Key`. `Authorization: Bearer` is for the token of a session.'
      : 'This is not the token of a session.',
  )
}
