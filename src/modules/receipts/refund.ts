// Records that a payment was given back (a refund), as a full receipt linked to the original. Moves no funds.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { isCode } from '../../core/iso-codes.ts'
import { ownedBy } from '../../core/principal.ts'
import { chainText, uuid } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { type Done, type VerbTransaction, verb } from '../../kit/verb.ts'
import { presentOrganisation } from '../settings/read.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'
import { demandOther, demandSettleable, settle } from './settle-refund.ts'

export const refundReceiptInput = z.strictObject({
  originalReceiptId: uuid.describe('The receipt to refund; it must be anchored.'),
  reasonCode: z
    .string()
    .refine(code => isCode('returnReason', code), {
      error: 'Not a code of the ISO 20022 external code set.',
      params: { type: 'enum' },
    })
    .nullish()
    .meta({ graphql: 'String', pattern: '^[A-Z0-9]{1,4}$' })
    .describe('Reason for the refund, from ExternalReturnReason1Code; for instance `FOCR`.'),
  refundTx: chainText()
    .nullish()
    .describe('The transaction that gave the money back. Without it the refund is announced, not settled.'),
})

/**
 * A second refund of one receipt returns the first, and settles it when only the second names a transaction. Errors:
 * `not_found`, `not_anchored`, `conflict`, `disabled_by_configuration`.
 */
export const refundReceipt = verb({
  name: 'receipt.refund',
  access: 'write',
  input: refundReceiptInput,
  async run(tx, { originalReceiptId, reasonCode, refundTx }, context) {
    const { principal } = context
    const original = await tx.db.receipt.findFirst({ where: { id: originalReceiptId, ...ownedBy(principal) } })
    if (original === null) throw notFound('receipt')
    return refund(tx, original, { reason: reasonCode ?? null, txHash: refundTx ?? null }, context)
  },
})

/**
 * Returns the existing refund; null when one can be recorded. Errors: `validation_failed`, `not_anchored`, `conflict`,
 * `disabled_by_configuration`.
 */
export async function earlierRefund(
  { db, sql }: Pick<VerbTransaction, 'db' | 'sql'>,
  original: Receipt,
  refundTxHash: string | null,
  app: App,
): Promise<Receipt | null> {
  demandOther(original, refundTxHash)
  const { projectId } = original
  const reference = referenceOf(original)
  // One statement, because another request may record the refund between two.
  const found = await db.receipt.findMany({ where: { OR: [{ refundOfId: original.id }, { projectId, reference }] } })
  const earlier = found.find(({ refundOfId }) => refundOfId === original.id)
  if (earlier !== undefined) {
    demandSettleable(earlier, refundTxHash)
    return earlier
  }
  if (found.length > 0) throw referenceTaken(reference)
  if (original.refundOfId !== null) throw new AppError('conflict', 'A refund cannot itself be refunded.')
  if (original.status !== 'anchored') throw new AppError('not_anchored')
  if (!(await presentOrganisation(app, sql)).status.enableReturns) throw new AppError('disabled_by_configuration')
  return null
}

type Stated = { reason: string | null; txHash: string | null }

/** Records a refund; the calling verb has authorised the principal. Errors: those of `earlierRefund`. */
export async function refund(tx: VerbTransaction, original: Receipt, stated: Stated, app: App): Promise<Done<Receipt>> {
  const { txHash } = stated
  const earlier = await earlierRefund(tx, original, txHash, app)
  const { receipt, fresh } = earlier === null ? await insert(tx, original, stated) : { receipt: earlier, fresh: false }
  if (!fresh) return txHash === null ? { result: receipt, audit: 'unchanged' } : settle(tx, receipt, txHash)
  const { id, projectId } = receipt
  tx.changed(id)
  tx.event({ type: 'receipt.refunded', receiptId: original.id, isSettled: txHash !== null })
  tx.job(jobs.screen({ receipts: [id] }))
  const details = { refund_of: original.id, refund_tx_hash: txHash }
  return { result: receipt, audit: [{ objectType: 'receipt', objectId: id, projectId, details }] }
}

const referenceOf = ({ id }: Receipt) => `refund:${id}`
const referenceTaken = (reference: string) =>
  new AppError('conflict', `Another receipt has the reference ${reference}.`)

// A refund keeps the original's configuration versions, because its message ids depend on the configuration.
async function insert(tx: VerbTransaction, original: Receipt, { reason, txHash }: Stated) {
  const reference = referenceOf(original)
  const [made] = await tx.sql<RawReceipt>(
    `insert into receipts (id, project_id, tip_tx_hash, chain, amount, currency, sender_wallet, receiver_wallet, reference,
                           refund_of_id, refund_reason, refund_tx_hash, config_version, project_config_version)
     select $1::uuid, project_id, coalesce($5::text, tip_tx_hash), chain, amount, currency, receiver_wallet, sender_wallet,
       $2::text, id, $3::text, $5::text, config_version, project_config_version
     from receipts where id = $4::uuid
     on conflict do nothing
     returning ${receiptColumns}`,
    [randomUUID(), reference, reason, original.id, txHash],
  )
  if (made !== undefined) return { receipt: receiptOf(made), fresh: true }
  const { projectId } = original
  const other = await tx.db.receipt.findUniqueOrThrow({ where: { projectId_reference: { projectId, reference } } })
  if (other.refundOfId === original.id) return { receipt: other, fresh: false }
  throw referenceTaken(reference)
}
