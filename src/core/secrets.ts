// The secrets that the service issues. Each has a recognisable prefix, so that it can be found in a text.
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

// 256 random bits, and a checksum that detects typing mistakes.
const key = /qtk_([A-Za-z0-9_-]{43})([0-9a-f]{8})/
const wholeKey = new RegExp(`^${key.source}$`)

const checksum = (secret: string) => crc32(secret).toString(16).padStart(8, '0')

/** Makes a raw API key. */
export function makeKey(): string {
  const secret = randomBytes(32).toString('base64url')
  return `qtk_${secret}${checksum(secret)}`
}

/** Returns false for anything that `makeKey` cannot have made, which saves a database query. */
export function isWellFormedKey(raw: string): boolean {
  const [, secret, sum] = wholeKey.exec(raw) ?? []
  return secret !== undefined && checksum(secret) === sum
}

/** Returns the stored hash of a key. 256 random bits need no slow hash. */
export const hashKey = (raw: string): Buffer => createHash('sha256').update(raw).digest()

/** Returns a webhook secret in the form of Standard Webhooks; `bytes` are 32. */
export const webhookSecret = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`

/** Matches an API key or a webhook secret inside a text. */
export const secretForm = new RegExp(`${key.source}|whsec_[A-Za-z0-9+/]{43}=`)
