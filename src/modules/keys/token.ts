// Raw API keys: 256 random bits behind a recognisable prefix, with a checksum that detects typing mistakes.
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const form = /^qtk_([A-Za-z0-9_-]{43})([0-9a-f]{8})$/

const checksum = (secret: string) => crc32(secret).toString(16).padStart(8, '0')

export function makeKey(): string {
  const secret = randomBytes(32).toString('base64url')
  return `qtk_${secret}${checksum(secret)}`
}

/** Returns false for anything that `makeKey` cannot have made, which saves a database query. */
export function isWellFormedKey(raw: string): boolean {
  const [, secret, sum] = form.exec(raw) ?? []
  return secret !== undefined && checksum(secret) === sum
}

/** Returns the stored hash of a key. 256 random bits need no slow hash. */
export const hashKey = (raw: string): Buffer => createHash('sha256').update(raw).digest()
