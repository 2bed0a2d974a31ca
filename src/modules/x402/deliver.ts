// The last step of a paid call: the answer to a settled payment is produced and stored, or the stored one is replayed.
import { AppError } from '../../core/errors.ts'
import { leaseEnded } from './lease.ts'
import { noteDelivered, type Payment, presentPayment } from './ledger.ts'
import { asPayer, type Purchase } from './purchase.ts'

/** Returns the answer to a settled payment that this call has leased. */
export async function deliver(purchase: Purchase, payment: Payment): Promise<unknown> {
  const { context, paid, input } = purchase
  const headers = { 'PAYMENT-RESPONSE': receiptOf(purchase, payment) }
  try {
    const answer = await paid.run(asPayer(purchase, payment.payer), input, payment.verifiedAt)
    // Another process delivered the payment while this one was stalled, and only that answer is valid.
    if ((await noteDelivered(context, payment, answer)) === null)
      return replay(purchase, await presentPayment(context, payment.id))
    leaseEnded(context, payment)
    context.paying.respond(headers)
    return answer
  } catch (error) {
    context.log.error({ err: error, payment: payment.id }, 'the result of a settled payment could not be delivered')
    throw new AppError('delivery_failed', undefined, { cause: error, headers, retryAfterSeconds: 2 })
  }
}

/** Returns the stored answer to a delivered payment. */
export function replay(purchase: Purchase, payment: Payment): unknown {
  if (!payment.isKept) throw new AppError('payment_conflict', 'The stored answer to this payment has expired.')
  purchase.context.paying.respond({ 'PAYMENT-RESPONSE': receiptOf(purchase, payment) })
  return payment.answer
}

const receiptOf = ({ facilitator }: Purchase, { payer, txid }: Payment) =>
  facilitator.encodeResponse({ payer, transaction: txid ?? '' })
