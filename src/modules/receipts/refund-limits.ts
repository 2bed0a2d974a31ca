// How much a refund may give back: at most what is left of the payment.
import { isAtLeast, remainder } from '../../core/decimal.ts'
import { AppError } from '../../core/errors.ts'
import type { Receipt } from '../../generated/prisma/client.ts'

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
