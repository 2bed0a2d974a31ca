// Reads the service administrators' keys: those configured or, for development, one made at the first start, stored
// only as a hash.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Settings = { adminApiKeys: readonly string[] | null; dataDir: string }

const hash = (key: string) => createHash('sha256').update(key).digest('hex')

export async function adminKeys({
  adminApiKeys,
  dataDir,
}: Settings): Promise<{ hashes: Set<string>; fresh: string | null }> {
  if (adminApiKeys !== null) return { hashes: new Set(adminApiKeys.map(hash)), fresh: null }
  const file = join(dataDir, 'admin-key.sha256')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (/^[0-9a-f]{64}$/.test(known.trim())) return { hashes: new Set([known.trim()]), fresh: null }
  const fresh = `admin_${randomBytes(32).toString('base64url')}`
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, `${hash(fresh)}\n`, { mode: 0o600 })
  return { hashes: new Set([hash(fresh)]), fresh }
}
