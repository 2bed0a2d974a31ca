// Erases the texts of a receipt that may be about a person, wherever the database has them, and the content of its
// files. Hashes, anchors, amounts, wallets and the audit trail stay.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { inTurn } from '../../kit/large-reads.ts'
import { type Sql, sqlOf, type Transaction } from '../../kit/transaction.ts'
import { verb } from '../../kit/verb.ts'
import { eraseBlobs } from '../artifacts/store.ts'
import { dropProofs } from '../control/store.ts'
import { type Answer, answersNaming, eraseAnswers, type Reach } from './erase-answers.ts'
import { ownStatements, walletStatements } from './statements-of.ts'

const eraseReceiptInput = z.strictObject({
  receiptId: uuid.describe('The UUID of the receipt: anchored, or failed.'),
})

/** Errors: `not_found`, `conflict` while the receipt or one of its refunds is processed. */
export const eraseReceipt = verb({
  name: 'receipt.erase',
  access: 'manage',
  input: eraseReceiptInput,
  async prepare({ receiptId }, context) {
    const { principal } = context
    const where = { id: receiptId, ...ownedBy(principal) }
    const receipt = await context.db.receipt.findFirst({ where, select: { projectId: true } })
    if (receipt === null) throw notFound('receipt')
    const reach: Reach = principal.kind === 'admin' ? 'installation' : 'project'
    const answers = await inTurn(context, 50, () => answersNaming(sqlOf(context.pool), receiptId, reach))
    return { projectId: receipt.projectId, reach, answers }
  },
  async run(tx, { receiptId }, _context, { projectId, reach, answers }) {
    const erased = await erase(tx, receiptId, reach, answers)
    const entry = { objectType: 'receipt', objectId: receiptId, projectId, details: erased }
    return { result: { receiptId, ...erased }, audit: [entry] }
  },
})

/** Numbers of the project's own refunds, files and statements. Those of others are not told. */
type Erased = { refunds: number; files: number; statements: number }

type Row = { id: string; createdAt: Date; erasedAt: Date | null; status: string }

const skewMs = 15 * 60_000

/**
 * Erases a receipt and its refunds, whose messages state its reference too. Harmless when it was erased already: what a
 * backup brought back is erased again, and what was made since then stays.
 */
export async function erase(
  tx: Pick<Transaction, 'sql' | 'job'>,
  receiptId: string,
  reach: Reach,
  answers: readonly Answer[],
): Promise<Erased> {
  const [own] = await tx.sql<{ projectId: string }>(
    'select project_id as "projectId" from receipts where id = $1::uuid',
    [receiptId],
  )
  if (own === undefined) throw notFound('receipt')
  const { projectId } = own
  // No day is closed and no export of the project is started meanwhile.
  await tx.sql('select id from projects where id = $1::uuid for no key update', [projectId])
  const rows = await tx.sql<Row>(
    `select id, created_at as "createdAt", erased_at as "erasedAt", status::text from receipts
     where id = $1::uuid or refund_of_id = $1::uuid order by id for no key update`,
    [receiptId],
  )
  if (rows.some(({ status }) => status !== 'anchored' && status !== 'failed'))
    throw new AppError('conflict', 'The receipt, or a refund of it, is not anchored yet. Erase it afterwards.')
  const ids = rows.map(({ id }) => id)
  const statements = await ownStatements(tx.sql, ids)
  const files = await eraseFiles(tx, ids, statements)
  if (reach === 'installation') await eraseFiles(tx, [], await walletStatements(tx.sql, ids))
  await eraseTexts(tx.sql, ids)
  await eraseProofs(tx.sql, ids)
  const erasedAt = rows.map(row => row.erasedAt)
  await eraseAnswers(tx.sql, {
    projectId,
    ids,
    answers,
    from: new Date(Math.min(...rows.map(({ createdAt }) => createdAt.getTime()))),
    until: erasedAt.includes(null) ? null : new Date(Math.max(...erasedAt.map(Number)) + skewMs),
    reach,
  })
  return { refunds: ids.length - 1, files, statements: statements.length }
}

/** No bundle states their receivers' signatures any more. A wallet that is linked keeps its own. */
async function eraseProofs(sql: Sql, ids: string[]): Promise<void> {
  const rows = await sql<{ proofId: string }>(
    `with stated as (
       select id, receiver_proof_id as proof from receipts where id = any($1::uuid[]) and receiver_proof_id is not null
     )
     update receipts r set receiver_proof_id = null from stated where r.id = stated.id returning stated.proof as "proofId"`,
    [ids],
  )
  await dropProofs(sql, [...new Set(rows.map(({ proofId }) => proofId))])
}

/** The hash of no file is that of another project's: each states a random id of its own receipt or statement. */
async function eraseFiles(tx: Pick<Transaction, 'sql' | 'job'>, ids: string[], statements: string[]): Promise<number> {
  // A caller who asks for the same statement again gets a new one, without the texts.
  await tx.sql('update statements set once = null where id = any($1::uuid[]) and once is not null', [statements])
  const files = await tx.sql<{ sha256: string }>(
    `select sha256 from artifacts where receipt_id = any($1::uuid[])
     union select sha256 from artifacts where statement_id = any($2::uuid[])`,
    [ids, statements],
  )
  return eraseBlobs(
    tx,
    files.map(({ sha256 }) => sha256),
  )
}

/** A URL that no receiver can have (RFC 2606), in place of one that may name a person. */
const noUrl = 'https://erased.invalid/'

async function eraseTexts(sql: Sql, ids: string[]): Promise<void> {
  // Callbacks that wait are not sent: their URL is gone. Deliveries are locked in the order of their ids everywhere.
  await sql('select id from webhook_deliveries where receipt_id = any($1::uuid[]) order by id for no key update', [ids])
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
  // A caller who may only record could otherwise take this reference, so that the erasure fails.
  const taken = `exists (select from receipts other
    where other.project_id = receipts.project_id and other.reference = 'erased:' || receipts.id and other.id <> receipts.id)`
  await sql(
    `update receipts set reference = 'erased:' || id || case when ${taken} then ':' || gen_random_uuid() else '' end,
       reference_key = null, callback_url = null,
       failure_reason = case when failure_reason is not null then 'erased' end, erased_at = coalesce(erased_at, now())
     where id = any($1::uuid[])`,
    [ids],
  )
}
