// Processes a failed receipt again, for instance after the cause of a failed screening was corrected.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import { jobs } from '../../kit/jobs.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'

const retryReceiptInput = z.strictObject({ receiptId: uuid.describe('The failed receipt’s UUID.') })

/** Sets a failed receipt to `pending` and screens it again. Errors: `not_found`, `invalid_status_transition`. */
export const retryReceipt = verb({
  name: 'receipt.retry',
  access: 'manage',
  input: retryReceiptInput,
  async run(tx, { receiptId }, { principal }) {
    const receipt = await tx.db.receipt.findFirst({ where: { id: receiptId, ...ownedBy(principal) } })
    if (receipt === null) throw notFound('receipt')
    const entry = await resumeReceipt(tx, receipt)
    if (entry === null) throw new AppError('invalid_status_transition', `The receipt is ${receipt.status}, not failed.`)
    return { result: { receiptId }, audit: [entry] }
  },
})

/** Screens the receipt again, and returns the audit row; null when its status is not `failed`. */
export async function resumeReceipt(tx: VerbTransaction, receipt: Receipt) {
  const { id, projectId, failureReason } = receipt
  const { count } = await tx.db.receipt.updateMany({
    where: { id, status: 'failed' },
    data: { status: 'pending', failureReason: null },
  })
  if (count === 0) return null
  tx.changed(id)
  tx.job(jobs.screen({ receipts: [id] }))
  // The rest may speak of a person, and audit rows are never erased.
  const [reason = null] = failureReason?.split(':', 1) ?? []
  return { objectType: 'receipt', objectId: id, projectId, details: { failure_reason: reason } }
}
