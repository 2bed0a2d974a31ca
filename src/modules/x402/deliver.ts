// The last step of a paid call: the answer to a settled payment is produced and stored, or the stored one is replayed.
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../core/errors.ts'
import type { Settlement } from '../../ports/payment-facilitator.ts'
import { refusal } from './challenge.ts'
import { leaseEnded } from './lease.ts'
import { noteAnswered, notePaidAndAnswered, type Payment, presentPayment } from './ledger.ts'
import { asPayer, type Purchase } from './purchase.ts'
import { storeSettlement } from './settle.ts'

// About as long as a few statements take. A settlement that is not stored holds up the payer's next payment.
const answerPatienceMs = 10

/**
 * Returns the answer to a settled payment that this call has leased. `settlement` is null if it is stored already;
 * otherwise it is stored with the answer if that is produced at once, and before it if not.
 */
export async function deliver(purchase: Purchase, payment: Payment, settlement: Settlement | null): Promise<unknown> {
  const { context, paid, input } = purchase
  const answering = paid.run(asPayer(purchase, payment.payer), input, payment.verifiedAt)
  const unstored = settlement !== null && (await isProducedAtOnce(answering)) ? settlement : null
  const stored =
    settlement === null || unstored !== null ? payment : await storeMeanwhile(purchase, payment, settlement, answering)
  const headers = { 'PAYMENT-RESPONSE': receiptOf(purchase, { ...stored, txid: unstored?.txid ?? stored.txid }) }
  try {
    const answer = await answering
    const answered =
      (unstored && (await notePaidAndAnswered(context, payment, unstored, answer))) ??
      (await noteAnswered(context, stored, answer))
    // Another process answered while this one was stalled, and only that answer is valid.
    if (answered === null) return replay(purchase, await presentPayment(context, payment.id))
    leaseEnded(context, payment)
    context.paying.respond(headers)
    return answer
  } catch (error) {
    context.log.error({ err: error, payment: payment.id }, 'the result of a settled payment could not be delivered')
    throw new AppError('delivery_failed', undefined, { cause: error, headers, retryAfterSeconds: 2 })
  }
}

/** Stores the settlement. If that fails, waits for the end of the paid field, because the lease must not end before. */
async function storeMeanwhile(
  { context }: Purchase,
  payment: Payment,
  settlement: Settlement,
  answering: Promise<unknown>,
): Promise<Payment> {
  try {
    return await storeSettlement(context, payment, settlement)
  } catch (error) {
    await answering.catch(() => undefined)
    throw error
  }
}

/** False also if the answer fails. */
const isProducedAtOnce = (answering: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    answering.then(
      () => true,
      () => false,
    ),
    sleep(answerPatienceMs, false, { ref: false }),
  ])

/** Returns the stored answer to a payment. */
export function replay(purchase: Purchase, payment: Payment): unknown {
  if (payment.status === 'reversed') throw refusal(purchase, payment.failureReason ?? 'unexpected_verify_error')
  if (!payment.isKept) throw new AppError('payment_conflict', 'The stored answer to this payment has expired.')
  purchase.context.paying.respond({ 'PAYMENT-RESPONSE': receiptOf(purchase, payment) })
  return payment.answer
}

const receiptOf = ({ facilitator }: Purchase, { payer, txid }: Payment) =>
  facilitator.encodeResponse({ payer, transaction: txid ?? '' })
