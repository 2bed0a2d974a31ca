// Settles an announced refund: states the transaction that gave the money back. A refund is booked only once settled.
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { ownedBy } from '../../core/principal.ts'
import { settlementText, uuid } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import type { Sql } from '../../kit/transaction.ts'
import { type Done, type VerbTransaction, verb } from '../../kit/verb.ts'
import { configurationAt } from '../settings/read.ts'
import { bookOnce } from './book-once.ts'
import { demandAmountLeft, demandAmountMoved } from './refund-limits.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'
import { isMovedBy, isSame, overlap } from './same-movement.ts'

const confirmRefundInput = z.strictObject({
  receiptId: uuid.describe('UUID of the refund’s own receipt.'),
  refundTx: settlementText().describe(
    'The transaction that gave the money back, or one transfer in it, such as `0x…#3`.',
  ),
})

/** Settles a refund; repeating it is harmless. Errors: `not_found`, those of `settle`, `validation_failed`. */
export const confirmRefund = verb({
  name: 'refund.confirm',
  access: 'write',
  input: confirmRefundInput,
  async run(tx, { receiptId, refundTx }, context) {
    const where = { id: receiptId, ...ownedBy(context.principal) }
    const found = await tx.db.receipt.findFirst({ where, select: { refundOfId: true } })
    if (found === null) throw notFound('receipt')
    if (found.refundOfId === null) throw new AppError('conflict', 'This receipt is no refund.')
    const original = await locked(tx.sql, found.refundOfId)
    demandOtherTransaction(original, refundTx)
    return settle(tx, original, await tx.db.receipt.findUniqueOrThrow({ where: { id: receiptId } }), refundTx, context)
  },
})

/** Returns the refunded receipt, and lets no other request change its refunds before the transaction ends. */
export async function locked(sql: Sql, originalId: string): Promise<Receipt> {
  const [row] = await sql<RawReceipt>(`select ${receiptColumns} from receipts where id = $1::uuid for no key update`, [
    originalId,
  ])
  if (row === undefined) throw notFound('receipt')
  return receiptOf(row)
}

/** Throws `validation_failed` for the transaction of the payment itself. Another transfer in it may be the return. */
export function demandOtherTransaction({ tipTxHash }: Receipt, refundTxHash: string | null): void {
  if (refundTxHash === null || !overlap(tipTxHash, refundTxHash)) return
  const message = isSame(tipTxHash, refundTxHash)
    ? 'This is the transaction of the payment itself, not the one that gave it back.'
    : `The payment itself is ${tipTxHash}, in the same transaction. Name the transfer that gave it back as \`#\` and its index, if both are transfers in one transaction.`
  throw invalid([{ path: ['input', 'refundTx'], message, type: 'value_error' }])
}

export const severalTransfers =
  'Name one transfer in the transaction as `#` and its index if it gave back several amounts.'

/**
 * Throws `conflict` where another transaction was stated before, or the transaction settled another refund of the
 * payment, and `refund_too_large`. Exact only while the original is locked.
 */
export async function demandRefundSettleable(
  { db, sql }: Pick<VerbTransaction, 'db' | 'sql'>,
  original: Receipt,
  refund: Receipt,
  txHash: string,
): Promise<void> {
  if (isMovedBy(refund, txHash, refund.amount)) return
  if (refund.refundTxHash !== null) throw new AppError('conflict', `The refund was settled by ${refund.refundTxHash}.`)
  const others = await db.receipt.findMany({ where: { refundOfId: original.id, refundTxHash: { not: null } } })
  const other = others.find(settled => isMovedBy(settled, txHash, refund.amount))
  if (other !== undefined) {
    const message = `The transaction ${other.refundTxHash} settled the refund ${other.id} of the same payment, of ${other.amount.toFixed()}. ${severalTransfers}`
    throw new AppError('conflict', message)
  }
  if (refund.refundClaimed) demandAmountLeft(original, refund.amount.toFixed())
  await demandAmountMoved(sql, original, refund.amount.toFixed(), txHash)
}

/** Settles a refund. The caller has checked access and locked the original. Throws as `demandRefundSettleable`. */
export async function settle(
  tx: VerbTransaction,
  original: Receipt,
  refund: Receipt,
  txHash: string,
  app: App,
): Promise<Done<Receipt>> {
  await demandRefundSettleable(tx, original, refund, txHash)
  if (refund.refundTxHash !== null) return { result: refund, audit: 'unchanged' }
  const versions = { organisation: refund.configVersion, project: refund.projectConfigVersion }
  const mustBeConfirmed = (await configurationAt(app, tx.sql, versions)).checks.policy === 'require'
  const [settled] = await tx.sql<RawReceipt>(
    `update receipts set refund_tx_hash = $2, refund_claimed = false,
       booked_at = case when status = 'anchored' and not $3 then now() end
     where id = $1::uuid and refund_tx_hash is null returning ${receiptColumns}`,
    [refund.id, txHash, mustBeConfirmed],
  )
  if (settled === undefined) throw new Error('a refund was settled while its original was locked')
  await bookOnce(tx.sql, [refund.id])
  tx.event({ type: 'receipt.refunded', receiptId: original.id, refundId: refund.id, isSettled: true })
  if (settled.status === 'anchored' && !mustBeConfirmed) tx.job(jobs.report({ receipts: [refund.id] }))
  // Before it is sealed, it is checked anyway.
  if (settled.status !== 'pending') tx.job(jobs.checkSettlement({ receipts: [refund.id] }))
  const { id, projectId } = refund
  const entry = { objectType: 'receipt', objectId: id, projectId, details: { refund_tx_hash: txHash } }
  return { result: receiptOf(settled), audit: [{ ...entry, action: 'refund.confirm' }] }
}

/**
 * Announces a refund that the payment's sender has claimed, so that it counts; another announced refund stays as it is.
 * Throws `refund_too_large`.
 */
export async function announce(tx: VerbTransaction, original: Receipt, refund: Receipt): Promise<Done<Receipt>> {
  if (!refund.refundClaimed) return { result: refund, audit: 'unchanged' }
  demandAmountLeft(original, refund.amount.toFixed())
  const result = await tx.db.receipt.update({ where: { id: refund.id }, data: { refundClaimed: false } })
  const { id, projectId } = refund
  return { result, audit: [{ objectType: 'receipt', objectId: id, projectId, details: { refund_of: original.id } }] }
}
