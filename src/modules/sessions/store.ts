// The rows of sessions: adds one, filters those that are live, and deletes those that have expired.
import { randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import type { Role } from '../../core/principal.ts'
import { hashOf, makeToken } from '../../core/secrets.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Sql } from '../../kit/transaction.ts'
import type { VerbTransaction } from '../../kit/verb.ts'

// Live sessions per project. The owner's wallet may create more, so that API keys cannot lock it out.
const mostByKeys = 10_000
const mostByWallets = 10_100

const life = '15 minutes'

type NewSession = { projectId: string; role: Role } & ({ apiKeyId: string } | { wallet: string })

/** Adds a session, which expires with its API key if that is earlier. Throws `too_many_sessions`. */
export async function addSession(tx: VerbTransaction, session: NewSession) {
  const { projectId, role } = session
  const [apiKeyId, wallet] = 'wallet' in session ? [null, session.wallet] : [session.apiKeyId, null]
  // Locks the project, so that two concurrent creations cannot both see room for one more session.
  await tx.sql('select id from projects where id = $1::uuid for no key update', [projectId])
  const live = await tx.db.session.count({ where: { projectId, ...liveSession(new Date()) } })
  if (live >= (wallet === null ? mostByKeys : mostByWallets)) throw new AppError('too_many_sessions')
  const id = randomUUID()
  const token = makeToken()
  // The database's clock decides, because all processes share it.
  await tx.sql(
    `insert into sessions (id, project_id, role, api_key_id, wallet, token_hash, expires_at)
     values ($1::uuid, $2::uuid, $3::api_key_role, $4::uuid, $5::text, $6,
       least(now() + interval '${life}', (select expires_at from api_keys where id = $4::uuid)))`,
    [id, projectId, role, apiKeyId, wallet, hashOf(token)],
  )
  const added = await tx.db.session.findUniqueOrThrow({ where: { id } })
  const entry = { objectType: 'session', objectId: id, projectId, details: { role } }
  return { result: { session: added, token }, entry }
}

/** Returns the filter of the sessions that, like their API keys, are neither revoked nor expired at this moment. */
export function liveSession(at: Date) {
  const after = { gt: at }
  const ofLiveKey = { apiKey: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: after }] } }
  return {
    revokedAt: null,
    expiresAt: after,
    OR: [{ apiKeyId: null }, ofLiveKey],
  } satisfies Prisma.SessionWhereInput
}

/** Deletes expired sessions. Who made which is in the audit trail. */
export async function cleanSessions(sql: Sql): Promise<void> {
  await sql('delete from sessions where expires_at <= now()')
}
