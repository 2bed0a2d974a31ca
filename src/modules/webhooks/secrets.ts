// The secrets that sign deliveries. Each is computed from the id of its row and a key of WEBHOOK_SECRET, so that a copy
// of the database cannot sign anything.
import { createHmac, randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { webhookSecret } from '../../core/secrets.ts'
import type { App } from '../../kit/context.ts'
import type { Sql } from '../../kit/transaction.ts'

/** Owner of a secret: an endpoint, or with `endpointId` null a project, for the `callback_url` of its receipts. */
export type SecretOwner = { projectId: string; endpointId: string | null }

export type SecretRow = { id: string; madeBy: string; expiresAt: Date | null }

/** Returns a secret as in Standard Webhooks (`whsec_` and base64); null when WEBHOOK_SECRET no longer has its key. */
export function secretOf({ webhooks: { keys } }: Pick<App, 'webhooks'>, { id, madeBy }: SecretRow): string | null {
  const key = keys.find(known => known.id === madeBy)?.key
  return key ? webhookSecret(createHmac('sha256', key).update(id).digest()) : null
}

// Maximum valid secrets of one owner. Rotations in quick succession leave several valid secrets.
const mostAtOnce = 5

/** Returns the valid secrets, the newest first; creates the present secret if there is none. */
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

/** Returns the valid secrets of these endpoints of a project, by endpoint id; null means the project's callbacks. */
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

/** Logs at startup how many valid secrets cannot sign, by missing key of WEBHOOK_SECRET. */
export async function logMissingKeys({ pool, log, webhooks: { keys } }: App): Promise<void> {
  const { rows } = await pool.query(
    `select made_by as key, count(*)::int as secrets from webhook_secrets
     where (expires_at is null or expires_at > now()) and made_by <> all($1::text[]) group by made_by`,
    [keys.map(({ id }) => id)],
  )
  for (const row of rows)
    log.error(row, 'ALARM: secrets of receivers were made by a key that WEBHOOK_SECRET does not name')
}

/** An SQL condition with the parameter $1, written so that an index serves either kind of owner. */
const conditionOf = ({ projectId, endpointId }: SecretOwner) =>
  endpointId === null
    ? { where: 'project_id = $1::uuid and endpoint_id is null', id: projectId }
    : { where: 'endpoint_id = $1::uuid', id: endpointId }

function readLive(sql: Sql, owner: SecretOwner): Promise<SecretRow[]> {
  const { where, id } = conditionOf(owner)
  return sql<SecretRow>(
    `select id, made_by as "madeBy", expires_at as "expiresAt" from webhook_secrets
     where ${where} and (expires_at is null or expires_at > now())
     order by expires_at desc nulls first limit ${mostAtOnce}`,
    [id],
  )
}

/**
 * Creates a new secret; the present one also signs until `until`. Must run in a transaction. Throws `conflict` if too
 * many secrets are still valid.
 */
export async function replaceSecret(
  sql: Sql,
  app: Pick<App, 'webhooks'>,
  owner: SecretOwner,
  until: Date,
): Promise<void> {
  const { where, id } = conditionOf(owner)
  await sql(`delete from webhook_secrets where ${where} and expires_at <= now()`, [id])
  // With `until` in the past, the number of valid secrets stays the same.
  if (until > new Date() && (await readLive(sql, owner)).length >= mostAtOnce) {
    throw new AppError('conflict', `${mostAtOnce} secrets are still valid: rotate again when one of them has expired.`)
  }
  await sql(`update webhook_secrets set expires_at = $2::timestamptz where ${where} and expires_at is null`, [
    id,
    until,
  ])
  await liveSecrets(sql, app, owner)
}
