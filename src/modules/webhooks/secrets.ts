// The secrets that sign deliveries. Each is computed from the id of its row and a key of WEBHOOK_SECRET, so that a copy of the
// database signs nothing.
import { createHmac, randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import type { App } from '../../kit/context.ts'
import type { Sql } from '../../kit/transaction.ts'

/** Whose secret: an endpoint's, or that of a project for the `callback_url` of its receipts. */
export type SecretOwner = { projectId: string; endpointId: string | null }

export type SecretRow = { id: string; madeBy: string; expiresAt: Date | null }

/** `whsec_` and base64, as Standard Webhooks writes it; null when its key is not in WEBHOOK_SECRET any more. */
export function secretOf({ webhooks: { keys } }: Pick<App, 'webhooks'>, { id, madeBy }: SecretRow): string | null {
  const key = keys.find(known => known.id === madeBy)?.key
  return key ? `whsec_${createHmac('sha256', key).update(id).digest('base64')}` : null
}

// Rotations that follow each other quickly leave several that are still good.
const mostAtOnce = 5

/** Those that sign now, the newest first; the first one is made if there is none. */
export async function liveSecrets(
  sql: Sql,
  { webhooks }: Pick<App, 'webhooks'>,
  owner: SecretOwner,
): Promise<SecretRow[]> {
  const rows = await readLive(sql, owner)
  if (rows.some(({ expiresAt }) => expiresAt === null)) return rows
  await sql(
    `insert into webhook_secrets (id, project_id, endpoint_id, made_by) values ($1::uuid, $2::uuid, $3::uuid, $4)
     on conflict do nothing`,
    [randomUUID(), owner.projectId, owner.endpointId, webhooks.keys[0].id],
  )
  return readLive(sql, owner)
}

/** Those that sign now for these endpoints of a project; null stands for its callbacks. */
export async function secretsFor(
  sql: Sql,
  app: Pick<App, 'webhooks'>,
  projectId: string,
  endpointIds: ReadonlySet<string | null>,
): Promise<Map<string | null, SecretRow[]>> {
  const owned = await Promise.all(
    [...endpointIds].map(
      async endpointId => [endpointId, await liveSecrets(sql, app, { projectId, endpointId })] as const,
    ),
  )
  return new Map(owned)
}

/** Says at the start which secrets cannot sign. */
export async function tellMissingKeys({ pool, log, webhooks: { keys } }: App): Promise<void> {
  const { rows } = await pool.query(
    `select made_by as key, count(*)::int as secrets from webhook_secrets
     where (expires_at is null or expires_at > now()) and made_by <> all($1::text[]) group by made_by`,
    [keys.map(({ id }) => id)],
  )
  for (const row of rows)
    log.error(row, 'ALARM: secrets of receivers were made by a key that WEBHOOK_SECRET does not name')
}

const readLive = (sql: Sql, { projectId, endpointId }: SecretOwner) =>
  sql<SecretRow>(
    `select id, made_by as "madeBy", expires_at as "expiresAt" from webhook_secrets
     where project_id = $1::uuid and endpoint_id is not distinct from $2::uuid and (expires_at is null or expires_at > now())
     order by expires_at desc nulls first limit ${mostAtOnce}`,
    [projectId, endpointId],
  )

/** The present one signs on beside a new one until then. In a transaction. Throws `conflict` where too many are still good. */
export async function replaceSecret(
  sql: Sql,
  app: Pick<App, 'webhooks'>,
  owner: SecretOwner,
  until: Date,
): Promise<void> {
  if ((await readLive(sql, owner)).length >= mostAtOnce) {
    throw new AppError('conflict', `${mostAtOnce} secrets are still good: rotate again when one of them has ended.`)
  }
  await sql(
    `update webhook_secrets set expires_at = $3::timestamptz
     where project_id = $1::uuid and endpoint_id is not distinct from $2::uuid and expires_at is null`,
    [owner.projectId, owner.endpointId, until],
  )
  await liveSecrets(sql, app, owner)
}
