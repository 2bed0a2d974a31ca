// How much a refund may give back: at most what is left of the payment, and what its transaction is known to have
// moved.
import { plainAmount } from '../../core/amount.ts'
import { isAtLeast, remainder } from '../../core/decimal.ts'
import { AppError } from '../../core/errors.ts'
import { transactionKey } from '../../core/identity.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import type { Sql } from '../../kit/transaction.ts'
import { otherKeys, otherKeysOf, sameMovement } from './same-movement.ts'

/** Returns what is left to refund of a payment, as a plain decimal. */
export const leftOf = ({ amount, refundedAmount }: Pick<Receipt, 'amount' | 'refundedAmount'>): string =>
  remainder(amount.toFixed(), refundedAmount.toFixed())

/** `claims`: refunds that are not in the payment's `refundedAmount`, but count here. Throws `refund_too_large`. */
export function demandAmountLeft(original: Receipt, amount: string, claims: Pick<Receipt, 'amount'>[] = []): void {
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
export async function demandAmountMoved(sql: Sql, original: Receipt, amount: string, txHash: string): Promise<void> {
  const known = await leftOfReturn(sql, original.id, amount, txHash)
  if (known === null || isAtLeast(known.left, amount)) return
  const { currency } = original
  throw refundTooLarge(
    `\`amount\` is ${amount} ${currency}, but the transaction ${txHash} is recorded as a payment of ${known.moved} ${currency}, of which only ${known.left} are left for refunds.`,
    known.left,
  )
}

/** Returns what the transaction moved, and what refunds have left of it; null while nothing is known. */
async function leftOfReturn(sql: Sql, originalId: string, amount: string, txHash: string) {
  const key = transactionKey(txHash)
  const keys = [key, ...otherKeys(key)]
  // Locked, so that refunds of other payments do not take the same amount at the same time.
  const payments = await sql<{ id: string; isExact: boolean }>(
    `select payment.id, payment.tx_key = $2 as "isExact" from (
       select project_id, chain_key, currency, receiver_key as sender_key, sender_key as receiver_key, $2::text as tx_key,
         $3::text as first_key, $4::text as last_key, $5::numeric as amount
       from receipts where id = $1::uuid
     ) as requested join receipts as payment on ${sameMovement('requested', 'payment')}
       and payment.refund_of_id is null and not payment.is_repeated
     order by payment.id for no key update of payment`,
    [originalId, ...keys, amount],
  )
  // If the transaction itself is recorded, the payments of its legs are other movements.
  const exact = payments.filter(({ isExact }) => isExact)
  const known = exact.length > 0 ? exact : payments
  if (known.length === 0) return null
  // Another transfer in the transaction takes nothing from this one.
  const [sums] = await sql<{ moved: string; taken: string }>(
    `select (select sum(amount) from receipts where id = any($1::uuid[]))::text as moved,
       coalesce(sum(amount), 0)::text as taken
     from (
       select distinct on (refund.id) refund.amount
       from (select *, ${otherKeysOf('tx_key')} from receipts where id = any($1::uuid[])) as payment
       join receipts as refund on ${sameMovement('payment', 'refund')} and refund.refund_tx_hash is not null
         and (refund.tx_key = $2 or refund.tx_key ~>=~ $3 and refund.tx_key ~<=~ $4)
     ) as refund`,
    [known.map(({ id }) => id), ...keys],
  )
  if (sums === undefined) throw new Error('a sum without a row')
  const moved = plainAmount(sums.moved)
  return { moved, left: remainder(moved, plainAmount(sums.taken)) }
}
