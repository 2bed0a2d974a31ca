// SHA-256 in the one form that all external interfaces use: 0x and lower-case hex.
import { hash } from 'node:crypto'

export const sha256 = (bytes: Uint8Array | string): string => `0x${hash('sha256', bytes, 'hex')}`
