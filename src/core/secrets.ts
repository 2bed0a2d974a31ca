// The secrets that the service issues. Each has a recognisable prefix, so that it can be found in a text.
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

// 256 random bits, and a checksum that detects typing mistakes.
const credential = /qt[ks]_([A-Za-z0-9_-]{43})([0-9a-f]{8})/
const wholeCredential = new RegExp(`^${credential.source}$`)

const checksum = (secret: string) => crc32(secret).toString(16).padStart(8, '0')

function make(prefix: 'qtk_' | 'qts_'): string {
  const secret = randomBytes(32).toString('base64url')
  return `${prefix}${secret}${checksum(secret)}`
}

/** Makes a raw API key. */
export const makeKey = (): string => make('qtk_')

/** Makes the token of a session. */
export const makeToken = (): string => make('qts_')

/** Returns whether a text is meant as an API key of a project, well-formed or not. */
export const looksLikeKey = (text: string): boolean => text.startsWith('qtk_')

/** Returns whether a text is meant as the token of a session, well-formed or not. */
export const looksLikeToken = (text: string): boolean => text.startsWith('qts_')

/** Returns false for anything that `makeKey` and `makeToken` cannot have made, which saves a database query. */
export function isWellFormed(raw: string): boolean {
  const [, secret, sum] = wholeCredential.exec(raw) ?? []
  return secret !== undefined && checksum(secret) === sum
}

/** Returns the stored hash of an API key or a token. 256 random bits need no slow hash. */
export const hashOf = (raw: string): Buffer => createHash('sha256').update(raw).digest()

/** Returns a webhook secret in the form of Standard Webhooks; `bytes` are 32. */
export const webhookSecret = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`

/** Matches an API key, a token or a webhook secret inside a text. */
export const secretForm = new RegExp(`${credential.source}|whsec_[A-Za-z0-9+/]{43}=`)
