// SHA-256 in the one form that all external interfaces use: 0x and lower-case hex.
import { createHash } from 'node:crypto'

export const sha256 = (bytes: Uint8Array | string): string => `0x${createHash('sha256').update(bytes).digest('hex')}`
