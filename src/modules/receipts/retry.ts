// A failed receipt goes on from where it stood, for instance after a screening that has been put right.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import { actorOf, ownProject } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { verb } from '../../kit/verb.ts'

export const retryReceiptInput = z.strictObject({ receiptId: uuid.describe('The failed receipt’s UUID.') })

/** It is screened again. Errors: `not_found`, `invalid_status_transition`. */
export const retryReceipt = verb({
  name: 'receipt.retry',
  access: 'manage',
  input: retryReceiptInput,
  async run(tx, { receiptId }, { principal }) {
    const own = principal.kind === 'admin' ? {} : { projectId: ownProject(principal) }
    const receipt = await tx.db.receipt.findFirst({ where: { id: receiptId, ...own } })
    if (receipt === null) throw notFound('receipt')
    const { count } = await tx.db.receipt.updateMany({
      where: { id: receiptId, status: 'failed' },
      data: { status: 'pending', failureReason: null },
    })
    if (count === 0) throw new AppError('invalid_status_transition', `The receipt is ${receipt.status}, not failed.`)
    tx.audit({
      action: 'receipt.retry',
      objectType: 'receipt',
      objectId: receiptId,
      projectId: receipt.projectId,
      actor: actorOf(principal),
      details: { failure_reason: receipt.failureReason },
    })
    tx.changed(receiptId)
    tx.job({ task: 'screen', payload: { receipts: [receiptId] } })
    return receiptId
  },
})
