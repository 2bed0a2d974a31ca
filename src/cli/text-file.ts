// Reads a text file in any encoding that editors and shells write: UTF-8 with or without a byte order mark, and UTF-16,
// which PowerShell writes.
import { readFile } from 'node:fs/promises'
import { UsageError } from './command.ts'

/** Throws UsageError when the file cannot be read, or is no text. */
export async function readTextFile(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`)
  })
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${file} is not text in UTF-8 or UTF-16.`)
  }
}

/** The first character is a byte order mark or ASCII. The decoder drops the mark. */
export function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (second === 0 || (first === 0xff && second === 0xfe)) return 'utf-16le'
  return first === 0 || (first === 0xfe && second === 0xff) ? 'utf-16be' : 'utf-8'
}
