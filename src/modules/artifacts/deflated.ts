// How the database keeps the bytes of files: deflated, because most files are XML.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { AppError } from '../../core/errors.ts'
import { sha256 } from '../../core/hash.ts'

// Higher levels take twice as long and save a fiftieth.
export const deflated = (bytes: Buffer): Buffer => deflateRawSync(bytes, { level: 2 })

export type StoredBytes = { sha256: string; bytes: Buffer; isDeflated: boolean }

// Deflate packs at most 1,032 bytes into one. A page of a statement has a little more than a megabyte.
const mostBytes = 64 * 1024 * 1024

/** Returns the file, only when it has its hash. Throws `file_damaged`. */
export function storedFile({ sha256: hash, bytes, isDeflated }: StoredBytes): Buffer {
  const damaged = (cause: unknown) => new AppError('file_damaged', undefined, { cause })
  let file: Buffer
  try {
    file = isDeflated ? inflateRawSync(bytes, { maxOutputLength: mostBytes }) : bytes
  } catch (error) {
    throw damaged(error)
  }
  if (sha256(file) !== hash) throw damaged(new Error(`the bytes stored as ${hash} have another hash`))
  return file
}
