// How much a refund may give back: at most what is left of the payment, and what its transaction is known to have
// moved.
import { plainAmount } from '../../core/amount.ts'
import { isAtLeast, remainder } from '../../core/decimal.ts'
import { AppError } from '../../core/errors.ts'
import { transactionKey } from '../../core/identity.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import type { Sql } from '../../kit/transaction.ts'
import { sameMovement } from './book-once.ts'

/** Returns what is left to refund of a payment, as a plain decimal. */
export const leftOf = ({ amount, refundedAmount }: Pick<Receipt, 'amount' | 'refundedAmount'>): string =>
  remainder(amount.toFixed(), refundedAmount.toFixed())

/** `claims`: refunds that are not in the payment's `refundedAmount`, but count here. Throws `refund_too_large`. */
export function demandLeft(original: Receipt, amount: string, claims: Pick<Receipt, 'amount'>[] = []): void {
  const left = claims.reduce((rest, claim) => remainder(rest, claim.amount.toFixed()), leftOf(original))
  if (isAtLeast(left, amount)) return
  const { currency } = original
  throw refundTooLarge(
    `\`amount\` is ${amount} ${currency}, but of ${original.amount.toFixed()} ${currency} only ${left} are left to refund. Without \`amount\` the whole payment is refunded.`,
    left,
  )
}

const refundTooLarge = (message: string, left: string) => new AppError('refund_too_large', message, { body: { left } })

/**
 * Throws `refund_too_large` if refunds by this transaction would give back more than it moved. That is known where the
 * project recorded the transaction as a payment too, between the same wallets and in the same currency.
 */
export async function demandMoved(sql: Sql, original: Receipt, amount: string, txHash: string): Promise<void> {
  const known = await leftOfReturn(sql, original.id, transactionKey(txHash))
  if (known === null || isAtLeast(known.left, amount)) return
  const { currency } = original
  throw refundTooLarge(
    `\`amount\` is ${amount} ${currency}, but the transaction ${txHash} is recorded as a payment of ${known.moved} ${currency}, of which only ${known.left} are left for refunds.`,
    known.left,
  )
}

/** Returns what the transaction moved, and what refunds have left of it; null while nothing is known. */
async function leftOfReturn(sql: Sql, originalId: string, txKey: string) {
  // Locked, so that refunds of other payments do not take the same amount at the same time.
  const [payment] = await sql<{ id: string; amount: string }>(
    `select payment.id, payment.amount::text from receipts as original join receipts as payment
       on payment.project_id = original.project_id and payment.chain_key = original.chain_key and payment.tx_key = $2
       and payment.sender_key = original.receiver_key and payment.receiver_key = original.sender_key
       and payment.currency = original.currency and payment.refund_of_id is null
     where original.id = $1::uuid order by payment.created_at, payment.id limit 1 for no key update of payment`,
    [originalId, txKey],
  )
  if (payment === undefined) return null
  const [refunds] = await sql<{ amount: string }>(
    `select coalesce(sum(refund.amount), 0)::text as amount from receipts as payment join receipts as refund
       on ${sameMovement('payment', 'refund')} where payment.id = $1::uuid`,
    [payment.id],
  )
  const moved = plainAmount(payment.amount)
  return { moved, left: remainder(moved, plainAmount(refunds?.amount ?? '0')) }
}
