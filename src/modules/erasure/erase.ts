// Erases the texts of a receipt that may be about a person, wherever the database has them, and the content of its
// files. Hashes, anchors, amounts, wallets and the audit trail stay.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { jobs } from '../../kit/jobs.ts'
import type { Sql, Transaction } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'

const eraseReceiptInput = z.strictObject({
  receiptId: uuid.describe('The UUID of the receipt: anchored, or failed.'),
})

/** Errors: `not_found`, `conflict` while the receipt or one of its refunds is processed. */
export const eraseReceipt = verb({
  name: 'receipt.erase',
  access: 'manage',
  input: eraseReceiptInput,
  async run(tx, { receiptId }, { principal }) {
    const receipt = await tx.db.receipt.findFirst({
      where: { id: receiptId, ...ownedBy(principal) },
      select: { projectId: true },
    })
    if (receipt === null) throw notFound('receipt')
    const erased = await erase(tx, receiptId)
    const entry = { objectType: 'receipt', objectId: receiptId, projectId: receipt.projectId, details: erased }
    return { result: { receiptId, ...erased }, audit: [entry] }
  },
})

/** `statements` states the receipt on a page of its own or beside others. */
type Erased = { refunds: number; files: number; statements: number }

type Row = { id: string; projectId: string; reference: string; createdAt: Date; status: string }

/**
 * Erases a receipt and its refunds, whose messages state its reference too. Harmless when it was erased already: what a
 * backup or a late writer brought back is erased again.
 */
export async function erase(tx: Pick<Transaction, 'sql' | 'job'>, receiptId: string): Promise<Erased> {
  const rows = await tx.sql<Row>(
    `select id, project_id as "projectId", reference, created_at as "createdAt", status::text from receipts
     where id = $1::uuid or refund_of_id = $1::uuid order by id for no key update`,
    [receiptId],
  )
  const [one] = rows
  if (one === undefined) throw notFound('receipt')
  if (rows.some(({ status }) => status !== 'anchored' && status !== 'failed'))
    throw new AppError('conflict', 'The receipt, or a refund of it, is not anchored yet. Erase it afterwards.')
  const ids = rows.map(({ id }) => id)
  const words = [...ids, ...ids.map(id => id.replaceAll('-', '')), ...rows.map(({ reference }) => reference)]
  const statements = await statementsOf(tx.sql, ids)
  const files = await eraseFiles(tx, ids, statements)
  await eraseTexts(tx.sql, ids)
  const from = new Date(Math.min(...rows.map(({ createdAt }) => createdAt.getTime())))
  await eraseAnswers(tx.sql, one.projectId, words, from)
  return { refunds: ids.length - 1, files, statements: statements.length }
}

/**
 * Returns the statements whose files can state one of these receipts: those of which it is an entry, and those of its
 * project or its wallets over a time at which it was booked. It is booked when it is anchored or settled, perhaps again
 * after its block was lost: each time has an audit row of the same transaction.
 */
async function statementsOf(sql: Sql, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `with own as (
       select id, project_id, booked_at, array[sender_key, receiver_key, lower(sender_wallet), lower(receiver_wallet)] as wallets
       from receipts where id = any($1::uuid[])
     ), booked as (
       select project_id, wallets, booked_at as at from own where booked_at is not null
       union select own.project_id, wallets, a.created_at
       from own join audit_events a on a.project_id = own.project_id and a.object_id = own.id::text
     ), numbered as (
       select s.id, s.project_id, s.day from statement_entries e join statements s on s.id = e.statement_id
       where e.receipt_id = any($1::uuid[])
     )
     select id from numbered
     union
     select s.id from booked join statements s on s.project_id = booked.project_id and at >= s."from" and at < s."to"
     union
     select s.id from booked join statements s on s.wallet = any(wallets) and at >= s."from" and at < s."to"
     union
     -- Copies of the day's numbered statements.
     select s.id from numbered join statements s on s.project_id = numbered.project_id and s.day = numbered.day`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

async function eraseFiles(tx: Pick<Transaction, 'sql' | 'job'>, ids: string[], statements: string[]): Promise<number> {
  const rows = await tx.sql<{ sha256: string; isOutside: boolean }>(
    `with own as (
       select b.sha256, b.bytes is null as outside from blobs b
       where b.erased_at is null and b.sha256 in (
         select sha256 from artifacts where receipt_id = any($1::uuid[])
         union select sha256 from artifacts where statement_id = any($2::uuid[])
       ) for no key update
     )
     update blobs b set bytes = '', is_deflated = false, size = null, erased_at = now() from own where b.sha256 = own.sha256
     returning b.sha256, own.outside as "isOutside"`,
    [ids, statements],
  )
  const sha256s = rows.flatMap(({ sha256, isOutside }) => (isOutside ? [sha256] : []))
  if (sha256s.length > 0) tx.job(jobs.eraseObjects({ sha256s }))
  return rows.length
}

/** A URL that no receiver can have (RFC 2606), in place of one that may name a person. */
const noUrl = 'https://erased.invalid/'

async function eraseTexts(sql: Sql, ids: string[]): Promise<void> {
  // Callbacks that wait are not sent: their URL is gone.
  await sql(
    `update webhook_deliveries set url = case when url is not null then '${noUrl}' end,
       state = case when state = 'waiting' and url is not null then 'cancelled' else state end,
       finished_at = case when state = 'waiting' and url is not null then now() else finished_at end,
       next_attempt_at = case when state = 'waiting' and url is not null then null else next_attempt_at end,
       lease_id = case when state = 'waiting' and url is not null then null else lease_id end
     where receipt_id = any($1::uuid[])`,
    [ids],
  )
  await sql(
    `update webhook_attempts set answer_start = null, error = null
     where delivery_id in (select id from webhook_deliveries where receipt_id = any($1::uuid[]))`,
    [ids],
  )
  await sql('update compliance_checks set reason = null where receipt_id = any($1::uuid[])', [ids])
  await sql(
    `update receipts set reference = 'erased:' || id, reference_key = null, callback_url = null,
       failure_reason = case when failure_reason is not null then 'erased' end, erased_at = coalesce(erased_at, now())
     where id = any($1::uuid[])`,
    [ids],
  )
}

// A repeated request must not write again, so that its answer stays as one without content.
const erasedAnswer = JSON.stringify({ detail: 'content_erased', message: 'The content was erased on request.' })

/** Erases stored answers of the project that name one of these words, and its transcripts and exports since then. */
async function eraseAnswers(sql: Sql, projectId: string, words: string[], from: Date): Promise<void> {
  const names = (text: string) => `exists (select from unnest($2::text[]) as word where position(word in ${text}) > 0)`
  await sql(
    `update payments set answer = null, answer_until = null
     where project_id = $1::uuid and answer_until is not null and answer is not null and ${names('answer::text')}`,
    [projectId, words],
  )
  await sql(
    `update idempotent_requests set status = 410, headers = '{"Content-Type": "application/json"}', body = convert_to($3, 'UTF8')
     where principal in (select 'key:' || id from api_keys where project_id = $1::uuid
         union all select 'session:' || id from sessions where project_id = $1::uuid)
       and exists (select from unnest($2::text[]) as word where position(convert_to(word, 'UTF8') in body) > 0)`,
    [projectId, words, erasedAnswer],
  )
  // A question may name a person without naming the receipt.
  await sql('delete from assistant_exchanges where project_id = $1::uuid and created_at >= $2', [projectId, from])
  await sql('delete from exports where (project_id = $1::uuid or project_id is null) and created_at >= $2', [
    projectId,
    from,
  ])
}
