// The table `idempotent_requests`, shared by all processes: requests in progress, and stored responses.
import { randomUUID } from 'node:crypto'
import { AppError } from '../core/errors.ts'
import type { Sql } from '../kit/transaction.ts'
import type { Answer } from './answer.ts'
import type { IdempotentRequest } from './request.ts'

/** While a request is carried out, its row names the holder; a later request may take the row over from that holder. */
export type Reservation = Pick<IdempotentRequest, 'principal' | 'key'> & { holder: string }

export type Found =
  | { kind: 'reserved' }
  | { kind: 'running' }
  | { kind: 'lost' }
  | { kind: 'mismatch' }
  | { kind: 'answered'; answer: Answer }

type Row = { same: boolean; isLost: boolean; status: number | null; headers: Answer['headers']; body: Buffer }

// A reservation of a dead process is not renewed, and can be taken over after a minute, unless its write was committed.
// A row is kept for a day.
const reserveStatement = `
  insert into idempotent_requests as kept (principal, key, fingerprint, headers)
  values ($1, $2, $3, jsonb_build_object('holder', $4::text))
  on conflict (principal, key) do update
    set fingerprint = excluded.fingerprint, headers = excluded.headers, created_at = now(), finished_at = null,
      status = null, body = null
    where kept.created_at < now() - interval '24 hours'
      or (kept.finished_at is null and kept.fingerprint = excluded.fingerprint
        and kept.created_at < now() - interval '60 seconds' and not kept.headers ? 'carriedOut')
  returning 1`

const mine = `principal = $1 and key = $2 and finished_at is null and headers->>'holder' = $3`

export const newReservation = ({ principal, key }: IdempotentRequest): Reservation => ({
  principal,
  key,
  holder: randomUUID(),
})

/** Returns `reserved` to exactly one of any number of equal requests in any number of processes. */
export async function reserve(
  sql: Sql,
  { principal, key, fingerprint }: IdempotentRequest,
  reservation: Reservation,
): Promise<Found> {
  const made = await sql(reserveStatement, [principal, key, fingerprint, reservation.holder], 'idempotency-reserve')
  if (made.length > 0) return { kind: 'reserved' }
  const [row] = await sql<Row>(
    `select fingerprint = $3 as same, status, headers, body,
       headers ? 'carriedOut' and created_at < now() - interval '60 seconds' as "isLost"
     from idempotent_requests where principal = $1 and key = $2`,
    [principal, key, fingerprint],
    'idempotency-read',
  )
  // Without a row the reservation was released just now: the client is to retry, as for a running request.
  if (row === undefined) return { kind: 'running' }
  if (!row.same) return { kind: 'mismatch' }
  if (row.status === null) return { kind: row.isLost ? 'lost' : 'running' }
  return { kind: 'answered', answer: { status: row.status, headers: row.headers, body: row.body } }
}

/** Stores the answer. Returns whether the reservation was there. */
export async function finish(
  sql: Sql,
  { principal, key, holder }: Reservation,
  { status, headers, body }: Answer,
): Promise<boolean> {
  const text = `update idempotent_requests set finished_at = now(), status = $4, headers = $5, body = $6 where ${mine} returning 1`
  const values = [principal, key, holder, status, JSON.stringify(headers), body]
  return (await sql(text, values, 'idempotency-finish')).length > 0
}

/**
 * Returns whether the reservation was there and is over. One whose write was committed stays, because a retry must not
 * write again.
 */
export const release = async (sql: Sql, { principal, key, holder }: Reservation): Promise<boolean> => {
  const text = `delete from idempotent_requests where ${mine} and not headers ? 'carriedOut' returning 1`
  return (await sql(text, [principal, key, holder], 'idempotency-release')).length > 0
}

/**
 * Notes in the transaction of a write that the request was carried out: whether it commits may never be known. Throws
 * `idempotency_in_progress` when a retry has taken the reservation over.
 */
export async function noteCarriedOut(
  sql: (text: string, values: unknown[]) => Promise<unknown[]>,
  { principal, key, holder }: Reservation,
): Promise<void> {
  const text = `update idempotent_requests set headers = headers || '{"carriedOut": true}' where ${mine} returning 1`
  if ((await sql(text, [principal, key, holder])).length === 0) throw new AppError('idempotency_in_progress')
}

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
