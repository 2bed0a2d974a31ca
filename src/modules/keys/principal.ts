// Resolves the X-API-Key header to the principal.
import { AppError } from '../../core/errors.ts'
import type { Principal, Role } from '../../core/principal.ts'
import { hashKey, isWellFormedKey } from '../../core/secrets.ts'
import { batchWhileBusy } from '../../kit/batch-while-busy.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'

// A revoked key must stop working within a second on every process.
const rememberMs = 900
const rememberAtMost = 10_000

type Known = { principal: Principal | null; until: number }
type KeyRow = { hash: string; id: string; projectId: string; role: Role }

const known = perApp(() => new Map<string, Known>())

// Reading a key also stores its last use, at most once a minute, so that not every call with a busy key writes.
const lookUp = perApp(app =>
  batchWhileBusy<Buffer, Principal | null>(async hashes => {
    const { rows } = await app.pool.query<KeyRow>({
      name: 'keys-by-hash',
      text: `with live as (
               select k.* from unnest($1::bytea[]) as asked(hash)
               cross join lateral (
                 select id, key_hash, project_id, role, last_used_at from api_keys
                 where key_hash = asked.hash and revoked_at is null and (expires_at is null or expires_at > now()) offset 0
               ) as k
             ), used as (
               update api_keys set last_used_at = now() from live
               where api_keys.id = live.id and (live.last_used_at is null or live.last_used_at < now() - interval '1 minute')
             )
             select encode(key_hash, 'hex') as hash, id, project_id as "projectId", role from live`,
      values: [hashes],
    })
    const found = new Map(rows.map(row => [row.hash, row]))
    return hashes.map(hash => {
      const row = found.get(hash.toString('hex'))
      return row ? { kind: 'key', keyId: row.id, projectId: row.projectId, role: row.role } : null
    })
  }),
)

/** Returns the principal, `public` without a key. Throws `unauthenticated` for an unknown, revoked or expired key. */
export async function principalOf(app: App, rawKey: string | undefined): Promise<Principal> {
  if (rawKey === undefined) return { kind: 'public' }
  const hash = hashKey(rawKey)
  const name = hash.toString('hex')
  if (app.adminKeyHashes.has(name)) return { kind: 'admin', keyId: name.slice(0, 8) }
  const principal = isWellFormedKey(rawKey) ? await remembered(app, name, hash) : null
  if (principal === null) throw new AppError('unauthenticated', 'The API key is unknown, revoked or expired.')
  return principal
}

/** Returns whether this raw key of a project is still valid. */
export const isLive = async (app: App, rawKey: string): Promise<boolean> => {
  const hash = hashKey(rawKey)
  return (await remembered(app, hash.toString('hex'), hash)) !== null
}

async function remembered(app: App, name: string, hash: Buffer): Promise<Principal | null> {
  const cache = known(app)
  const entry = cache.get(name)
  if (entry !== undefined && entry.until > Date.now()) return entry.principal
  const principal = await lookUp(app)(hash)
  if (cache.size >= rememberAtMost) cache.clear()
  cache.set(name, { principal, until: Date.now() + rememberMs })
  return principal
}
