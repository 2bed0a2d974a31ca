// Writes and reads ZIP in one canonical layout: names and contents alone determine the bytes; no other ZIP is accepted.
import { crc32 } from 'node:zlib'
import JSZip from 'jszip'

export type ZipEntry = { name: string; bytes: Buffer }

/** The files of a canonical ZIP, or a sentence why the bytes are none. */
export type ZipResult = { ok: true; files: Map<string, Buffer> } | { ok: false; reason: string }

/** 4 MiB: a bundle is some tens of kilobytes at most. A larger file is refused unread, as reading copies every byte. */
export const maxZipBytes = 4 * 1024 * 1024

// jszip writes the UTC fields of a date, so this is midnight in every time zone. ZIP has no earlier date.
const epoch = new Date(Date.UTC(1980, 0, 1))

/** Writes stored entries by name (code units): 1980-01-01, mode 0644, no folders, no extra fields. Names are ASCII. */
export async function writeZip(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new JSZip()
  for (const { name, bytes } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    zip.file(name, bytes, { date: epoch, unixPermissions: 0o100644, createFolders: false, binary: true })
  }
  return await zip.generateAsync({ type: 'nodebuffer', compression: 'STORE', platform: 'UNIX', streamFiles: false })
}

const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const localHeaderSize = 30

/** Returns the entry whose local header is at `at`, and the offset of the next entry; a sentence when it is invalid. */
function readEntry(bytes: Buffer, at: number): { entry: ZipEntry; next: number } | string {
  if (at + localHeaderSize > bytes.length) return 'It ends inside an entry.'
  if (bytes.readUInt32LE(at) !== localHeader) return 'It is not a ZIP, or has bytes between its entries.'
  if (bytes.readUInt16LE(at + 6) !== 0 || bytes.readUInt16LE(at + 8) !== 0) return 'An entry is not plainly stored.'
  const size = bytes.readUInt32LE(at + 22)
  const nameLength = bytes.readUInt16LE(at + 26)
  if (bytes.readUInt32LE(at + 18) !== size || bytes.readUInt16LE(at + 28) !== 0)
    return 'An entry is not plainly stored.'
  const start = at + localHeaderSize + nameLength
  if (start + size > bytes.length) return 'It ends inside an entry.'
  const content = bytes.subarray(start, start + size)
  if (crc32(content) !== bytes.readUInt32LE(at + 14)) return 'The checksum of an entry is wrong.'
  const name = bytes.toString('latin1', at + localHeaderSize, start)
  return { entry: { name, bytes: content }, next: start + size }
}

/**
 * Reads a ZIP that `writeZip` wrote, with exactly the names of one of the `layouts`, and refuses every other byte
 * sequence: the entries are written again and all bytes compared, so nothing prefixed, appended, duplicated,
 * compressed, hidden in the directory or contradicting itself gets through. Never throws.
 */
export async function readZip(bytes: Buffer, layouts: readonly (readonly string[])[]): Promise<ZipResult> {
  const refuse = (reason: string): ZipResult => ({ ok: false, reason })
  if (bytes.length > maxZipBytes) return refuse('It is larger than 4 MiB.')
  const entries: ZipEntry[] = []
  const most = Math.max(0, ...layouts.map(names => names.length))
  let at = 0
  while (entries.length === 0 || bytes.length < at + 4 || bytes.readUInt32LE(at) !== centralHeader) {
    const read = readEntry(bytes, at)
    if (typeof read === 'string') return refuse(read)
    entries.push(read.entry)
    if (entries.length > most) return refuse('It holds more files than a bundle has.')
    at = read.next
  }
  const names = entries.map(entry => entry.name)
  const isLayout = layouts.some(
    layout => layout.length === names.length && layout.every((name, i) => name === names[i]),
  )
  if (!isLayout) return refuse('Its files are not those of a bundle, in name order.')
  const canonical = await writeZip(entries)
  if (!canonical.equals(bytes)) return refuse('It is not in the canonical layout.')
  return { ok: true, files: new Map(entries.map(entry => [entry.name, entry.bytes])) }
}
