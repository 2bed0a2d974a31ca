// Settles an announced refund: states the transaction that gave the money back. A refund is booked only once settled.
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { ownedBy } from '../../core/principal.ts'
import { chainText, uuid } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import { jobs } from '../../kit/jobs.ts'
import { type Done, type VerbTransaction, verb } from '../../kit/verb.ts'
import { type RawReceipt, receiptColumns, receiptOf } from './row.ts'

const confirmRefundInput = z.strictObject({
  receiptId: uuid.describe('UUID of the refund’s own receipt.'),
  refundTx: chainText().describe('The transaction that gave the money back.'),
})

/** Settles a refund; repeating it is harmless. Errors: `not_found`, `conflict`, `validation_failed`. */
export const confirmRefund = verb({
  name: 'refund.confirm',
  access: 'write',
  input: confirmRefundInput,
  async run(tx, { receiptId, refundTx }, { principal }) {
    const found = await tx.db.receipt.findFirst({
      where: { id: receiptId, ...ownedBy(principal) },
      include: { refundOf: true },
    })
    if (found === null) throw notFound('receipt')
    const { refundOf, ...refund } = found
    if (refundOf === null) throw new AppError('conflict', 'This receipt is no refund.')
    demandOther(refundOf, refundTx)
    return settle(tx, refund, refundTx)
  },
})

/** Throws `validation_failed` for the transaction of the payment itself. */
export function demandOther({ tipTxHash }: Receipt, refundTxHash: string | null): void {
  if (tipTxHash !== refundTxHash) return
  const message = 'This is the transaction of the payment itself, not the one that gave it back.'
  throw invalid([{ path: ['input', 'refundTx'], message, type: 'value_error' }])
}

/** Throws `conflict` where another transaction was stated before. */
export function demandSettleable(refund: Receipt, txHash: string | null): void {
  if (txHash === null || refund.refundTxHash === null || refund.refundTxHash === txHash) return
  throw new AppError('conflict', `The refund was settled by ${refund.refundTxHash}.`)
}

/** Settles a refund; the calling verb has checked access. Throws `conflict` where another transaction was stated. */
export async function settle({ sql, ...tx }: VerbTransaction, refund: Receipt, txHash: string): Promise<Done<Receipt>> {
  const [settled] = await sql<RawReceipt>(
    `update receipts set refund_tx_hash = $2, booked_at = case when status = 'anchored' then now() end
     where id = $1::uuid and refund_tx_hash is null returning ${receiptColumns}`,
    [refund.id, txHash],
  )
  if (settled === undefined) {
    const present = await tx.db.receipt.findUniqueOrThrow({ where: { id: refund.id } })
    demandSettleable(present, txHash)
    return { result: present, audit: 'unchanged' }
  }
  if (refund.refundOfId !== null) tx.event({ type: 'receipt.refunded', receiptId: refund.refundOfId, isSettled: true })
  if (settled.status === 'anchored') tx.job(jobs.report({ receipts: [refund.id] }))
  const { id, projectId } = refund
  const entry = { objectType: 'receipt', objectId: id, projectId, details: { refund_tx_hash: txHash } }
  return { result: receiptOf(settled), audit: [{ ...entry, action: 'refund.confirm' }] }
}
