// Ids of the keys that sign evidence: they are computed from the key, and never read from beside it.
import { hash } from 'node:crypto'

/** 64 hex digits: the SHA-256 of the key's SPKI DER, which is what the lines of a PEM encode. */
export const keyIdOf = (publicKeyPem: string): string =>
  hash('sha256', Buffer.from(publicKeyPem.replace(/-----(BEGIN|END) PUBLIC KEY-----/g, ''), 'base64'), 'hex')

/** Bundles made before ids were whole name their key by the first 16 digits. */
const shortLength = 16

/** A key id as bundles and key documents write it: whole, or in the short form of earlier bundles. */
export const writtenKeyId = /^(?:[0-9a-f]{16}|[0-9a-f]{64})$/

/** Whether this may be how a document writes the whole id. */
export const isWrittenAs = (written: string, wholeId: string): boolean =>
  written === wholeId || (written.length === shortLength && wholeId.startsWith(written))

/** Returns the keys whose id may be written so: several only for a short id that fits several keys. */
export const keysWrittenAs = <Key extends { publicKeyPem: string }>(written: string, keys: readonly Key[]): Key[] =>
  keys.filter(key => isWrittenAs(written, keyIdOf(key.publicKeyPem)))
