// Reads the bundle that the user has: the ZIP as it was downloaded, another ZIP of its files, a folder of them, or
// standard input. A bundle in another layout is rebuilt: it has the anchored hash again if no file differs.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { layouts, readBundle } from '../../modules/evidence/bundle.ts'
import { maxZipBytes, writeZip, type ZipEntry } from '../../modules/evidence/zip.ts'
import { UsageError } from '../command.ts'
import { bundleNames, type Found, filesIn } from './loose-files.ts'
import { pageName } from './statement-pages.ts'

const zipName = 'evidence.zip'

export type InputBundle = {
  bytes: Buffer
  /** The form from which it was rebuilt; null when the bytes are as they were given. */
  rebuiltFrom: 'folder' | 'zip' | null
  /** Pages of a statement that were given beside it. */
  pages: ZipEntry[]
  /** Files that were given with it and are no part of it. */
  others: string[]
}

/** Reads the bundle at a path, or from standard input for `-`. Throws UsageError when there is none. */
export async function readInputBundle(path: string): Promise<InputBundle> {
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

async function fromZip(bytes: Buffer): Promise<InputBundle> {
  const unchanged = { bytes, rebuiltFrom: null, pages: [], others: [] }
  if ((await readBundle(bytes)).ok) return unchanged
  const found = await filesIn(bytes)
  return found !== null && isWhole(found)
    ? { ...found, pages: [], bytes: await writeZip(found.files), rebuiltFrom: 'zip' }
    : unchanged
}

async function fromFolder(path: string): Promise<InputBundle> {
  const names = await readdir(path)
  const read = async (name: string): Promise<ZipEntry> => ({ name, bytes: await readFile(join(path, name)) })
  const files: ZipEntry[] = []
  const pages: ZipEntry[] = []
  const others: string[] = []
  for (const name of names) {
    const isSmall = (await stat(join(path, name))).size <= maxZipBytes
    if (bundleNames.has(name) && isSmall) files.push(await read(name))
    else if (pageName.test(name)) pages.push(await read(name))
    else if (bundleNames.has(name)) throw new UsageError(`${name} is larger than a bundle.`)
    else others.push(name)
  }
  const found = { files, others }
  if (isWhole(found)) return { bytes: await writeZip(files), rebuiltFrom: 'folder', pages, others }
  if (files.length === 0 && others.includes(zipName)) {
    const input = await fromZip(await readFile(join(path, zipName)))
    return { ...input, pages, others: [...input.others, ...others.filter(name => name !== zipName)] }
  }
  throw new UsageError(`${path} does not hold the files of one bundle: ${layouts[0]?.join(', ')}.`)
}

/** Whether these are all the files of one kind of bundle. */
function isWhole({ files }: Found): boolean {
  const names = new Set(files.map(({ name }) => name))
  return layouts.some(layout => layout.length === names.size && layout.every(name => names.has(name)))
}
