// Reads the development key from which webhook secrets are computed; makes it at the first start.
import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NamedKey } from '../kit/context.ts'

export async function webhookKey(dataDir: string): Promise<NamedKey> {
  const file = join(dataDir, 'webhook-key')
  const known = await readFile(file).catch(() => null)
  const key = known?.length === 32 ? known : await create(dataDir, file)
  return { id: `development-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`, key }
}

/** Creates the key. Two processes that start at once use the same key: the second finds that of the first. */
async function create(dataDir: string, file: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true })
  const temporary = `${file}.${randomBytes(8).toString('hex')}.new`
  await writeFile(temporary, randomBytes(32), { mode: 0o600 })
  await link(temporary, file).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
  return readFile(file)
}
