// Looks up API keys and sessions by the hashes of what their callers sent.
import type { Principal, Role } from '../../core/principal.ts'
import { batchWhileBusy } from '../../kit/batch-while-busy.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'

type Row = { hash: string; id: string; projectId: string; role: Role; isMoving: boolean; location: string | null }

// The table is empty, or has a few rows.
const move = (owner: string) => `left join project_moves m on m.project_id = ${owner}.project_id`
const moveColumns = `m.project_id is not null as "isMoving", m.location`

// Reading a key also stores its last use, at most once a minute, so that not every call with a busy key writes.
const keys = `
  with live as (
    select k.* from unnest($1::bytea[]) as requested(hash)
    cross join lateral (
      select id, key_hash, project_id, role, last_used_at from api_keys
      where key_hash = requested.hash and revoked_at is null and (expires_at is null or expires_at > now()) offset 0
    ) as k
  ), used as (
    update api_keys set last_used_at = now() from live
    where api_keys.id = live.id and (live.last_used_at is null or live.last_used_at < now() - interval '1 minute')
  )
  select encode(key_hash, 'hex') as hash, id, live.project_id as "projectId", role, ${moveColumns}
  from live ${move('live')}`

// A session ends with the API key that made it.
const sessions = `
  select encode(requested.hash, 'hex') as hash, s.id, s.project_id as "projectId", s.role, ${moveColumns}
  from unnest($1::bytea[]) as requested(hash)
  cross join lateral (
    select id, project_id, role from sessions
    where token_hash = requested.hash and revoked_at is null and expires_at > now()
      and (api_key_id is null or exists (
        select from api_keys k
        where k.id = api_key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())))
    offset 0
  ) as s ${move('s')}`

const lookingUp = (name: string, text: string, principalOf: (row: Row) => Principal) =>
  perApp(app =>
    batchWhileBusy<Buffer, Principal | null>(async hashes => {
      const { rows } = await app.pool.query<Row>({ name, text, values: [hashes] })
      const found = new Map(rows.map(row => [row.hash, row]))
      return hashes.map(hash => {
        const row = found.get(hash.toString('hex'))
        return row ? principalOf(row) : null
      })
    }),
  )

const movingTo = ({ isMoving, location }: Row) => isMoving && { movingTo: location }

const lookUpKeys = lookingUp('keys-by-hash', keys, row => ({
  kind: 'key',
  keyId: row.id,
  projectId: row.projectId,
  role: row.role,
  ...movingTo(row),
}))

const lookUpSessions = lookingUp('sessions-by-hash', sessions, row => ({
  kind: 'key',
  sessionId: row.id,
  projectId: row.projectId,
  role: row.role,
  ...movingTo(row),
}))

/** Returns the principal of the API key with this hash; null when there is none, or it was revoked or has expired. */
export const lookUpKey = (app: App, hash: Buffer): Promise<Principal | null> => lookUpKeys(app)(hash)

/** Returns the principal of the session whose token has this hash; null when there is none, or it has ended. */
export const lookUpSession = (app: App, hash: Buffer): Promise<Principal | null> => lookUpSessions(app)(hash)
