// How the database keeps the bytes of files: deflated, because most files are XML.
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import { AppError } from '../../core/errors.ts'
import { sha256 } from '../../core/hash.ts'

const deflateInThread = promisify(deflateRaw)
const inflateInThread = promisify(inflateRaw)

// A larger file would keep other requests waiting for milliseconds; a smaller one takes less time than a change of
// threads.
const small = 16 * 1024
// Higher levels take twice as long and save a fiftieth.
const level = 2
// Deflate packs at most 1,032 bytes into one. A page of a statement has a little more than a megabyte.
const maxOutputLength = 64 * 1024 * 1024

export const deflated = async (bytes: Buffer): Promise<Buffer> =>
  bytes.length <= small ? deflateRawSync(bytes, { level }) : deflateInThread(bytes, { level })

export const inflated = async (bytes: Buffer): Promise<Buffer> =>
  bytes.length <= small ? inflateRawSync(bytes, { maxOutputLength }) : inflateInThread(bytes, { maxOutputLength })

export type StoredBytes = { sha256: string; bytes: Buffer; isDeflated: boolean }

/** Returns the file, only when it has its hash. Throws `file_damaged`. */
export async function storedFile({ sha256: hash, bytes, isDeflated }: StoredBytes): Promise<Buffer> {
  const damaged = (cause: unknown) => new AppError('file_damaged', undefined, { cause })
  let file: Buffer
  try {
    file = isDeflated ? await inflated(bytes) : bytes
  } catch (error) {
    throw damaged(error)
  }
  if (sha256(file) !== hash) throw damaged(new Error(`the bytes stored as ${hash} have another hash`))
  return file
}
