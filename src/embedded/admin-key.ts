// Reads the service administrators' keys: those configured or, for development, one made at the first start, stored
// only as a hash.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Settings = { ADMIN_API_KEYS: readonly string[] | null; DATA_DIR: string }

const hash = (key: string) => createHash('sha256').update(key).digest('hex')

export async function adminKeys({
  ADMIN_API_KEYS: keys,
  DATA_DIR: folder,
}: Settings): Promise<{ hashes: Set<string>; fresh: string | null }> {
  if (keys !== null) return { hashes: new Set(keys.map(hash)), fresh: null }
  const file = join(folder, 'admin-key.sha256')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (/^[0-9a-f]{64}$/.test(known.trim())) return { hashes: new Set([known.trim()]), fresh: null }
  const fresh = `admin_${randomBytes(32).toString('base64url')}`
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${hash(fresh)}\n`, { mode: 0o600 })
  return { hashes: new Set([hash(fresh)]), fresh }
}
