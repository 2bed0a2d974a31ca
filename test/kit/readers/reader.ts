// Runs a third-party reader on our messages: the samples, and generated ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFull } from '../size.ts'
import { Unavailable } from './install.ts'
import { mayFetch } from './may-fetch.ts'
import type { Readings } from './readers.ts'
import { generated, samples } from './samples.ts'

export type Reader = {
  /** True when the reader does not run on this machine; the log says why. */
  isMissing: boolean
  of(message: string): { read?: unknown; written?: string | undefined; error?: string | undefined }
  /** Type and error of each generated message that the reader failed to read; `unread` where it skipped the message. */
  failures: string[]
}

/** `count`: the number of generated messages of each kind. */
export async function readerOf(
  name: string,
  read: (folder: string) => Promise<Readings>,
  count: number,
): Promise<Reader> {
  const many = generated(count)
  const readings = await readingsOf(name, read, { ...samples, ...many })
  return {
    isMissing: readings === null,
    of: message => readings?.get(message) ?? {},
    failures: Object.keys(many).flatMap(message => {
      const { error } = readings?.get(message) ?? { error: 'unread' }
      return error === undefined ? [] : [`${message.slice(0, 8)} ${error}`]
    }),
  }
}

async function readingsOf(
  name: string,
  read: (folder: string) => Promise<Readings>,
  messages: Record<string, string>,
): Promise<Readings | null> {
  if (!isFull && !mayFetch) {
    console.warn(`Skipped: ${name} reads our messages at full size alone (npm run test:full).`)
    return null
  }
  const folder = mkdtempSync(join(tmpdir(), 'quittance-second-readers-'))
  try {
    for (const [message, xml] of Object.entries(messages)) writeFileSync(join(folder, `${message}.xml`), xml)
    return await read(folder)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.warn(`Skipped: ${name} reads our messages. It does not run here: ${error.message.slice(0, 300)}`)
    return null
  } finally {
    rmSync(folder, { recursive: true })
  }
}
