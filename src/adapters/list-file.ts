// Reads a list of addresses and names: one entry on each line, optionally followed by a tab and the entry's id. Empty
// lines and lines that begin with # are ignored.
import { open } from 'node:fs/promises'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { listKey } from '../core/listed-name.ts'

const listLimits = { bytes: 128 * 1024 * 1024, entries: 2_000_000, line: 1_024 }

// A few milliseconds of work; then the event loop can serve requests.
const linesAtOnce = 500

/** Inode, size and modification time of the file, which change with it. */
export type Version = string

/** `entries`: the id of each entry by the entry's key; empty when the entry has no id. */
export type List = { entries: ReadonlyMap<string, string>; version: Version }

/** The list file cannot be used; the message is for the operator. */
export class ListFault extends Error {}

/** Reads the list. Throws `ListFault` when any part of the file is invalid. */
export async function readList(path: string): Promise<List> {
  try {
    return await read(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new ListFault(`it cannot be read (${error.code})`)
    throw error
  }
}

async function read(path: string): Promise<List> {
  const file = await open(path)
  try {
    const before = await file.stat({ bigint: true })
    if (!before.isFile()) throw new ListFault('it is no file')
    if (before.size > listLimits.bytes) throw new ListFault(`it has more than ${listLimits.bytes} bytes`)
    const bytes = await file.readFile()
    const after = await file.stat({ bigint: true })
    if (versionOf(before) !== versionOf(after)) throw new ListFault('it was written to while it was read')
    return { entries: await parse(bytes), version: versionOf(after) }
  } finally {
    await file.close()
  }
}

export const versionOf = ({ ino, size, mtimeNs }: { ino: bigint; size: bigint; mtimeNs: bigint }): Version =>
  `${ino} ${size} ${mtimeNs}`

const newline = 0x0a
const bom = '\ufeff'
// Matches a line of CSV. Its whole text would be read as one name, so the address would never match.
const addressAndComma = /^["']?(?:\w+:)*(?:0x[0-9a-f]{40}|[0-9a-z]{25,})["']?\s*[,;]/i

async function parse(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let line = 0
  for (let start = 0; start < bytes.length; line++) {
    if (line % linesAtOnce === linesAtOnce - 1) await yieldToEventLoop()
    const found = bytes.indexOf(newline, start)
    const end = found < 0 ? bytes.length : found
    if (end - start > listLimits.line) throw new ListFault(`line ${line + 1} has more than ${listLimits.line} bytes`)
    addLine(entries, textOf(decoder, bytes.subarray(start, end), line + 1), line + 1)
    start = end + 1
  }
  // A file that was truncated in order to be rewritten must not count as an empty list.
  if (entries.size === 0) throw new ListFault('it has no entries')
  return entries
}

function textOf(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer, line: number): string {
  try {
    const text = decoder.decode(bytes)
    return line === 1 && text.startsWith(bom) ? text.slice(1) : text
  } catch {
    throw new ListFault(`line ${line} is not UTF-8`)
  }
}

function addLine(entries: Map<string, string>, text: string, line: number): void {
  if (text.trim() === '' || text.startsWith('#')) return
  const [entry = '', id = '', more] = text.split('\t').map(part => part.trim())
  if (more !== undefined) throw new ListFault(`line ${line} has more than an entry, a tab and an id`)
  if (addressAndComma.test(entry)) throw new ListFault(`line ${line} has a comma where a tab belongs`)
  const key = listKey(entry)
  if (key === null) throw new ListFault(`line ${line} has nothing that can be compared`)
  entries.set(key, id)
  if (entries.size > listLimits.entries) throw new ListFault(`it has more than ${listLimits.entries} entries`)
}
