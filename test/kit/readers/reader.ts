// What other people's readers read of our messages: the samples, and generated ones, few or at full size many.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sized } from '../size.ts'
import type { Readings } from './readers.ts'
import { generated, samples } from './samples.ts'

const messages = { ...samples, ...generated(sized(5, 200)) }

export type Reader = {
  /** It does not run here, and the log says why. */
  isMissing: boolean
  of(message: string): { read?: unknown; written?: string | undefined; error?: string | undefined }
  /** Types of the generated messages that it failed with, and the errors. */
  failures: string[]
}

export async function readerOf(name: string, read: (folder: string) => Promise<Readings>): Promise<Reader> {
  const readings = await readingsOf(name, read)
  return {
    isMissing: readings === null,
    of: message => readings?.get(message) ?? {},
    failures: [...(readings ?? [])].flatMap(([message, { error }]) =>
      message.includes('generated') && error !== undefined ? [`${message.slice(0, 8)} ${error}`] : [],
    ),
  }
}

async function readingsOf(name: string, read: (folder: string) => Promise<Readings>): Promise<Readings | null> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-second-readers-'))
  try {
    for (const [message, xml] of Object.entries(messages)) writeFileSync(join(folder, `${message}.xml`), xml)
    return await read(folder)
  } catch (error) {
    console.warn(`Skipped: ${name} reads our messages. It does not run here: ${String(error).slice(0, 300)}`)
    return null
  } finally {
    rmSync(folder, { recursive: true })
  }
}
