// Finds what a request for a refund means: an earlier refund of the same receipt, which it repeats or settles, or a new
// one, which is the whole payment or a part of it.
import { AppError } from '../../core/errors.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import type { VerbTransaction } from '../../kit/verb.ts'
import { presentOrganisation } from '../settings/read.ts'
import { demandAmountLeft, demandAmountMoved } from './refund-limits.ts'
import { isMovedBy, isSame } from './same-movement.ts'
import { demandOtherTransaction, demandRefundSettleable, severalTransfers } from './settle-refund.ts'

/** The request of the caller. `amount` null: the whole payment; `txHash` null: the refund is announced, not settled. */
export type Stated = {
  amount: string | null
  reason: string | null
  txHash: string | null
  /** The payment's sender announces the refund, who is to receive the money. */
  isClaim: boolean
}

export type NewRefund = { amount: string; reference: string }

/**
 * Returns the earlier refund that the request means, or the one to record. Exact only while the original is locked.
 * Errors: `validation_failed`, `not_anchored`, `conflict`, `refund_too_large`, `disabled_by_configuration`.
 */
export async function matchRefund(
  { db, sql }: Pick<VerbTransaction, 'db' | 'sql'>,
  original: Receipt,
  stated: Stated,
  app: App,
): Promise<{ earlier: Receipt } | NewRefund> {
  const { id, projectId, refundOfId, status } = original
  demandOtherTransaction(original, stated.txHash)
  const refunds = await db.receipt.findMany({
    where: { refundOfId: id },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, amount: true, refundTxHash: true, refundClaimed: true, refundReason: true },
  })
  const repeated = repeatedBy(original, refunds, stated)
  if (repeated !== null) {
    const earlier = await db.receipt.findUniqueOrThrow({ where: { id: repeated.id } })
    if (stated.txHash !== null) await demandRefundSettleable({ db, sql }, original, earlier, stated.txHash)
    return { earlier }
  }
  if (refundOfId !== null) throw new AppError('conflict', 'A refund cannot itself be refunded.')
  if (status !== 'anchored') throw new AppError('not_anchored')
  if (!(await presentOrganisation(app, sql)).status.enableReturns) throw new AppError('disabled_by_configuration')
  const amount = stated.amount ?? original.amount.toFixed()
  const claims = stated.isClaim ? refunds.filter(({ refundClaimed }) => refundClaimed) : []
  demandAmountLeft(original, amount, claims)
  if (stated.txHash !== null) await demandAmountMoved(sql, original, amount, stated.txHash)
  const reference = referenceOf(id, refunds.length + 1)
  // A refund that another request has recorded meanwhile is no obstacle.
  const isOther = { OR: [{ refundOfId: null }, { refundOfId: { not: id } }] }
  const other = await db.receipt.findFirst({ where: { projectId, reference, ...isOther }, select: { id: true } })
  if (other !== null) throw referenceTaken(reference)
  return { amount, reference }
}

/** The first refund is `refund:<original>`, as when there was only one. */
const referenceOf = (originalId: string, part: number) => `refund:${originalId}${part === 1 ? '' : `:${part}`}`

export const referenceTaken = (reference: string) =>
  new AppError('conflict', `Another receipt has the reference ${reference}.`)

type Refund = Pick<Receipt, 'id' | 'amount' | 'refundTxHash' | 'refundClaimed' | 'refundReason'>

/**
 * Returns the earlier refund that the request repeats or settles: the one with the same transaction, else an announced
 * one of the same amount, else the refund of the whole payment. The project does not take over what the payment's
 * sender announced for another reason than its own. Throws `conflict`.
 */
function repeatedBy({ amount }: Receipt, refunds: Refund[], stated: Stated): Refund | null {
  const { txHash } = stated
  const requested = stated.amount ?? amount.toFixed()
  if (txHash !== null) {
    const isExact = ({ refundTxHash }: Refund) => refundTxHash !== null && isSame(refundTxHash, txHash)
    const same = refunds.find(isExact) ?? refunds.find(refund => isMovedBy(refund, txHash, requested))
    if (same !== undefined) {
      if (stated.amount === null || same.amount.equals(requested)) return same
      const message = `\`amount\` is ${requested}, but the refund by ${same.refundTxHash} is of ${same.amount.toFixed()}. ${severalTransfers}`
      throw new AppError('conflict', message)
    }
  }
  const isOpen = ({ refundClaimed, refundReason }: Refund) =>
    !refundClaimed || stated.isClaim || stated.reason === null || stated.reason === refundReason
  const equal = refunds.filter(refund => refund.amount.equals(requested) && isOpen(refund))
  const announced = equal.filter(({ refundTxHash }) => refundTxHash === null)
  const whole = amount.equals(requested) ? equal[0] : undefined
  return announced.find(({ refundClaimed }) => !refundClaimed) ?? announced[0] ?? whole ?? null
}
