// The table `idempotent_requests`, shared by all processes: requests in progress, and stored responses.
import { randomUUID } from 'node:crypto'
import type { Sql } from '../kit/transaction.ts'
import type { Answer } from './answer.ts'
import type { Asked } from './request.ts'

/** While a request is carried out, its row names the holder; a later request may take the row over from that holder. */
export type Reservation = Pick<Asked, 'principal' | 'key'> & { holder: string }

export type Found =
  | { kind: 'reserved'; reservation: Reservation }
  | { kind: 'running' }
  | { kind: 'mismatch' }
  | { kind: 'answered'; answer: Answer }

type Row = { same: boolean; status: number | null; headers: Answer['headers']; body: Buffer }

// A reservation of a dead process is not renewed, and can be taken over after a minute. A row is kept for a day.
const reserveStatement = `
  insert into idempotent_requests as kept (principal, key, fingerprint, headers)
  values ($1, $2, $3, jsonb_build_object('holder', $4::text))
  on conflict (principal, key) do update
    set fingerprint = excluded.fingerprint, headers = excluded.headers, created_at = now(), finished_at = null,
      status = null, body = null
    where kept.created_at < now() - interval '24 hours'
      or (kept.finished_at is null and kept.fingerprint = excluded.fingerprint
        and kept.created_at < now() - interval '60 seconds')
  returning 1`

const mine = `principal = $1 and key = $2 and finished_at is null and headers->>'holder' = $3`

/** Returns `reserved` to exactly one of any number of equal requests in any number of processes. */
export async function reserve(sql: Sql, { principal, key, fingerprint }: Asked): Promise<Found> {
  const reservation = { principal, key, holder: randomUUID() }
  const made = await sql(reserveStatement, [principal, key, fingerprint, reservation.holder], 'idempotency-reserve')
  if (made.length > 0) return { kind: 'reserved', reservation }
  const [row] = await sql<Row>(
    `select fingerprint = $3 as same, status, headers, body from idempotent_requests where principal = $1 and key = $2`,
    [principal, key, fingerprint],
    'idempotency-read',
  )
  // Without a row the reservation was released just now: the client is to retry, as for a running request.
  if (row === undefined) return { kind: 'running' }
  if (!row.same) return { kind: 'mismatch' }
  if (row.status === null) return { kind: 'running' }
  return { kind: 'answered', answer: { status: row.status, headers: row.headers, body: row.body } }
}

export const finish = (sql: Sql, { principal, key, holder }: Reservation, { status, headers, body }: Answer) =>
  sql(
    `update idempotent_requests set finished_at = now(), status = $4, headers = $5, body = $6 where ${mine}`,
    [principal, key, holder, status, JSON.stringify(headers), body],
    'idempotency-finish',
  )

export const release = (sql: Sql, { principal, key, holder }: Reservation) =>
  sql(`delete from idempotent_requests where ${mine}`, [principal, key, holder], 'idempotency-release')

/** Marks these requests as still being carried out. */
export const renew = (sql: Sql, held: readonly Reservation[]) =>
  sql(
    `update idempotent_requests as kept set created_at = now()
     from unnest($1::text[], $2::text[], $3::text[]) as held(principal, key, holder)
     where kept.principal = held.principal and kept.key = held.key and kept.finished_at is null
       and kept.headers->>'holder' = held.holder`,
    [held.map(({ principal }) => principal), held.map(({ key }) => key), held.map(({ holder }) => holder)],
  )

/** Deletes the rows that are older than a day. */
export async function cleanIdempotentRequests(sql: Sql): Promise<void> {
  await sql(`delete from idempotent_requests where created_at < now() - interval '24 hours'`)
}
