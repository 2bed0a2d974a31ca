// Reads the files of a bundle from a ZIP that another program wrote: compressed, in a folder, in any order.
import { Readable } from 'node:stream'
import JSZip, { type JSZipObject } from 'jszip'
import { layouts } from '../../modules/evidence/bundle.ts'
import { maxZipBytes, type ZipEntry } from '../../modules/evidence/zip.ts'

/** `others`: the names of files that are no part of a bundle. */
export type Found = { files: ZipEntry[]; others: string[] }

export const bundleNames: ReadonlySet<string> = new Set(layouts.flat())

// macOS and Windows add these.
const added = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i
const localHeader = 'PK\x03\x04'
const centralHeader = 'PK\x01\x02'

/**
 * Returns null when the bytes are no such ZIP. Two files with one name are refused, and files that only some programs
 * would find: the user may look at one, and this program at the other.
 */
export async function filesIn(bytes: Buffer): Promise<Found | null> {
  const raw = bytes.length > maxZipBytes ? '' : bytes.toString('latin1')
  if (!raw.startsWith(localHeader)) return null
  const zip = await JSZip.loadAsync(bytes).catch(() => null)
  if (zip === null) return null
  const entries = Object.values(zip.files)
  const isCounted = [localHeader, centralHeader].every(header => raw.split(header).length - 1 === entries.length)
  if (!isCounted) return null
  const found: Found = { files: [], others: [] }
  for (const entry of entries.filter(({ dir, name }) => !dir && !added.test(name))) {
    const name = entry.name.slice(entry.name.lastIndexOf('/') + 1)
    if (!bundleNames.has(name)) found.others.push(entry.name)
    else if (found.files.some(file => file.name === name)) return null
    else {
      const content = await contentOf(entry)
      if (content === null) return null
      found.files.push({ name, bytes: content })
    }
  }
  return found
}

/** Returns null for content that is damaged or larger than a bundle: a few bytes may inflate to gigabytes. */
async function contentOf(entry: JSZipObject): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of new Readable().wrap(entry.nodeStream())) {
      size += chunk.length
      if (size > maxZipBytes) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}
