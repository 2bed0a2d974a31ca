// Processes a failed receipt again, for instance after the cause of a failed screening was corrected.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { actorOf, ownProject } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import { type VerbTransaction, verb } from '../../kit/verb.ts'

export const retryReceiptInput = z.strictObject({ receiptId: uuid.describe('The failed receipt’s UUID.') })

/** Sets a failed receipt to `pending` and screens it again. Errors: `not_found`, `invalid_status_transition`. */
export const retryReceipt = verb({
  name: 'receipt.retry',
  access: 'manage',
  input: retryReceiptInput,
  async run(tx, { receiptId }, { principal }) {
    const own = principal.kind === 'admin' ? {} : { projectId: ownProject(principal) }
    const receipt = await tx.db.receipt.findFirst({ where: { id: receiptId, ...own } })
    if (receipt === null) throw notFound('receipt')
    if (!(await letGoOn(tx, receipt, actorOf(principal))))
      throw new AppError('invalid_status_transition', `The receipt is ${receipt.status}, not failed.`)
    return receiptId
  },
})

/** Screens the receipt again. Returns false when its status is not `failed`. */
export async function letGoOn(tx: VerbTransaction, receipt: Receipt, actor: string): Promise<boolean> {
  const { id, projectId, failureReason } = receipt
  const { count } = await tx.db.receipt.updateMany({
    where: { id, status: 'failed' },
    data: { status: 'pending', failureReason: null },
  })
  if (count === 0) return false
  tx.audit({
    action: 'receipt.retry',
    objectType: 'receipt',
    objectId: id,
    projectId,
    actor,
    details: { failure_reason: failureReason },
  })
  tx.changed(id)
  tx.job({ task: 'screen', payload: { receipts: [id] } })
  return true
}
