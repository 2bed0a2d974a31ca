// Reads the files of an archive, and nothing else: no link leads out of its folder, and no file or line is too large
// for the memory.
import type { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The archive cannot be imported here: reported in a sentence. */
export class ArchiveError extends Error {}

const mebibyte = 1024 * 1024
const mostOfFile = 512 * mebibyte
// An answer of a megabyte has two digits for each byte, and a row has one.
const mostOfLine = 32 * mebibyte

const linesAtOnce = 500
const bytesAtOnce = 4 * mebibyte

/** Throws ArchiveError. */
export async function readOwnFile(folder: string, path: string): Promise<Buffer> {
  const { size, real } = await own(folder, path)
  if (size > mostOfFile) throw new ArchiveError(`${path} is too large.`)
  return readFile(real)
}

/** Throws ArchiveError unless the path is that of a file in the folder itself. */
async function own(folder: string, path: string): Promise<{ size: number; real: string }> {
  const missing = () => new ArchiveError(`${path} is missing in the archive.`)
  const real = await realpath(join(folder, path)).catch(() => null)
  if (real === null) throw missing()
  if (real !== join(await realpath(folder), path)) throw new ArchiveError(`${path} is a link.`)
  const found = await stat(real)
  if (!found.isFile()) throw missing()
  return { size: found.size, real }
}

/** Throws ArchiveError. Not by `node:readline`, which also ends lines at characters that JSON has in its strings. */
export async function* linesOf(
  folder: string,
  path: string,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<string[]> {
  const { real } = await own(folder, path)
  let begun: Buffer[] = []
  let length = 0
  let [lines, size]: [string[], number] = [[], 0]
  for await (const chunk of createReadStream(real)) {
    hash.update(chunk)
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...begun, chunk.subarray(start, end)])
      ;[begun, length] = [[], 0]
      lines.push(line.toString('utf8'))
      size += line.length
      start = end + 1
      if (lines.length < linesAtOnce && size < bytesAtOnce) continue
      yield lines
      ;[lines, size] = [[], 0]
    }
    begun.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > mostOfLine) throw new ArchiveError(`${path} has a line that is too long.`)
  }
  if (length > 0) throw new ArchiveError(`${path} ends within a line.`)
  if (lines.length > 0) yield lines
}
