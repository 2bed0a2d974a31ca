// Reads the bundle that the user has: the ZIP as it was downloaded, another ZIP of its files, a folder of them, or
// standard input. A bundle in another layout is rebuilt: it has the anchored hash again if no file differs.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { layouts, readBundle } from '../../modules/evidence/bundle.ts'
import { maxZipBytes, writeZip, type ZipEntry } from '../../modules/evidence/zip.ts'
import { UsageError } from '../command.ts'
import { bundleNames, type Found, filesIn } from './loose-files.ts'

export type GivenBundle = {
  bytes: Buffer
  /** What it was rebuilt from; null when the bytes are as they were given. */
  rebuiltFrom: 'folder' | 'zip' | null
  /** Files that were given with it and are no part of it. */
  others: string[]
}

/** Reads the bundle at a path, or from standard input for `-`. Throws UsageError when there is none. */
export async function readGivenBundle(path: string): Promise<GivenBundle> {
  try {
    if (path !== '-' && (await stat(path)).isDirectory()) return await fromFolder(path)
    return await fromZip(path === '-' ? await standardInput() : await readFile(path))
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error
    throw new UsageError(`${path === '-' ? 'Standard input' : path} cannot be read: ${error.message}`)
  }
}

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk)
    size += chunk.length
    // A larger bundle is refused unread.
    if (size > maxZipBytes) break
  }
  if (size === 0) throw new UsageError('Standard input is empty: pipe the bundle into it.')
  return Buffer.concat(chunks)
}

async function fromZip(bytes: Buffer): Promise<GivenBundle> {
  const asGiven = { bytes, rebuiltFrom: null, others: [] }
  if ((await readBundle(bytes)).ok) return asGiven
  const found = await filesIn(bytes)
  return found !== null && isWhole(found) ? rebuilt(found, 'zip') : asGiven
}

async function fromFolder(path: string): Promise<GivenBundle> {
  const names = await readdir(path)
  const files: ZipEntry[] = []
  for (const name of names.filter(one => bundleNames.has(one))) {
    if ((await stat(join(path, name))).size > maxZipBytes) throw new UsageError(`${name} is larger than a bundle.`)
    files.push({ name, bytes: await readFile(join(path, name)) })
  }
  const found = { files, others: names.filter(name => !bundleNames.has(name)) }
  if (isWhole(found)) return rebuilt(found, 'folder')
  throw new UsageError(`${path} does not hold the files of one bundle: ${layouts[0]?.join(', ')}.`)
}

/** Whether these are all the files of one kind of bundle. */
function isWhole({ files }: Found): boolean {
  const names = new Set(files.map(({ name }) => name))
  return layouts.some(layout => layout.length === names.size && layout.every(name => names.has(name)))
}

const rebuilt = async ({ files, others }: Found, rebuiltFrom: 'folder' | 'zip'): Promise<GivenBundle> => ({
  bytes: await writeZip(files),
  rebuiltFrom,
  others,
})
