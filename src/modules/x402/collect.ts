// Advances a payment from its current status until the result that it pays for is delivered.
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import type { PaymentFacilitator, PaymentPayload, PaymentRequirement } from '../../ports/payment-facilitator.ts'
import { screenPayment } from '../compliance/screen-payment.ts'
import { paymentSubjects } from '../compliance/subject.ts'
import { turnOf, underLease } from './lease.ts'
import {
  dropPayment,
  findPayment,
  leasePayment,
  noteChecks,
  noteDelivered,
  type Payment,
  reopenPayment,
  reverted,
} from './ledger.ts'
import { seekPayment, settlePayment } from './settle.ts'

/** One call of a paid field, with the requirement that its payment must meet. */
export type Call = {
  context: Context
  facilitator: PaymentFacilitator
  /** The endpoint's path in the price list. */
  path: string
  requirement: PaymentRequirement
  /** Project of the request's API key, if any. */
  projectId: string | null
  /** SHA-256 in hex of endpoint, project and input. */
  fingerprint: string
  /** Builds the 402 challenge with its reason; with `payer`, also a header that reports the failed settlement. */
  refuse(error: string, payer?: string): AppError
  /** When the request arrived. */
  at: Date
  /** Throws if the request cannot be carried out. */
  admit(payment: Pick<Payment, 'payer' | 'verifiedAt'>): Promise<void>
  run(payment: Payment): Promise<unknown>
}

const settlePatienceMs = 20_000
export const turnPatienceMs = 10_000

/** Replays the stored answer of a known payment, or continues that payment. */
export async function resumePayment(call: Call, known: Payment, payload: PaymentPayload): Promise<unknown> {
  const { context, facilitator, requirement, refuse, fingerprint, at } = call
  const first = facilitator.restore(known.payload)
  // A caller who only read the authorization in a block cannot sign it as the payer.
  const isSame = JSON.stringify(first.authorization) === JSON.stringify(payload.authorization)
  const isSigned = () => facilitator.checkLocally(payload, requirement, at).signedBy === 'payer'
  if (!isSame || !(first.signature === payload.signature || isSigned())) throw refuse('invalid_exact_evm_signature')
  // A caller who copied the payment from a block does not know the secret of the payer's challenge.
  if (first.secret !== payload.secret) throw refuse('invalid_exact_evm_nonce_already_used')
  if (known.fingerprint !== fingerprint) throw new AppError('payment_conflict')
  if (known.status === 'failed' && known.failureReason === reverted) await reopenPayment(context, known.id)
  const { network, asset } = facilitator
  const until = Date.now() + turnPatienceMs
  for (;;) {
    const leased = await leasePayment(context, known.id)
    if (leased !== null) return collect(call, leased, { isAdmitted: false })
    const present = await findPayment(context, { network, asset, payload })
    if (present === null) throw refuse('invalid_exact_evm_transaction_simulation_failed')
    if (present.status === 'failed') throw refuse(present.failureReason ?? 'unexpected_verify_error')
    if (present.status === 'delivered') return kept(call, present)
    if (Date.now() >= until) throw new AppError('payment_in_progress')
    await turnOf(context, known.id, until - Date.now())
  }
}

export function kept(call: Call, payment: Payment): unknown {
  if (!payment.isKept) throw new AppError('payment_conflict', 'The stored answer to this payment has expired.')
  call.context.paying.respond({ 'PAYMENT-RESPONSE': receiptOf(call, payment) })
  return payment.answer
}

const receiptOf = ({ facilitator }: Call, { payer, txid }: Payment) =>
  facilitator.encodeResponse({ payer, transaction: txid ?? '' })

/** Settles a payment that this call has leased, and delivers its result. */
export const collect = (call: Call, payment: Payment, { isAdmitted = true } = {}): Promise<unknown> =>
  underLease(call.context, payment, async () => {
    const { context, facilitator, refuse } = call
    const isUnsent = payment.status === 'verified' && payment.txid === null
    // Searched before any refusal: a reverted payment is public in its block, and any sender may have settled it.
    const found = isUnsent && payment.reverts > 0 ? await seekPayment(context, facilitator, payment) : 'unpaid'
    // The request may have become impossible since the payment was offered.
    if (!isAdmitted && isUnsent && found === 'unpaid') {
      await call.admit(payment)
      await screenAgain(call, payment)
    }
    const settled = found === 'unpaid' ? await settlePayment(context, facilitator, payment, settlePatienceMs) : found
    if (settled === 'paid') return await deliver(call, payment)
    if (settled === 'failed') throw refuse('settlement_failed', payment.payer)
    // A payment with a `txid` was sent and may have settled, even if lagging nodes do not show it. Its row is kept
    // until the authorization expires.
    if (settled === 'unpaid' && payment.txid === null) {
      await dropPayment(context, payment.id)
      throw refuse('invalid_exact_evm_transaction_simulation_failed', payment.payer)
    }
    // Never 402, which would make the client pay twice.
    throw new AppError(settled === 'unavailable' ? 'chain_unavailable' : 'settlement_pending')
  })

/** Screens a payment again before it is sent, because the checks may have changed since it was offered. */
async function screenAgain({ context, path: endpoint }: Call, { id, projectId }: Payment): Promise<void> {
  const subject = (await paymentSubjects(sqlOf(context.pool), [id])).get(id)
  if (subject === undefined) throw new Error(`there is no payment ${id}`)
  const checks = await screenPayment(context, subject, { projectId, endpoint })
  if (checks.length > 0) await inTransaction(context, tx => noteChecks(tx, id, checks))
}

async function deliver(call: Call, payment: Payment): Promise<unknown> {
  const { context, facilitator } = call
  const { network, asset } = facilitator
  const present = async () =>
    (await findPayment(context, { network, asset, payload: facilitator.restore(payment.payload) })) ?? payment
  const paid = await present()
  const headers = { 'PAYMENT-RESPONSE': receiptOf(call, paid) }
  try {
    const answer = await call.run(payment)
    // Another process delivered the payment while this one was stalled, and only that answer is valid.
    if (!(await noteDelivered(context, payment, answer))) return kept(call, await present())
    context.paying.respond(headers)
    return answer
  } catch (error) {
    context.log.error({ err: error, payment: payment.id }, 'the result of a settled payment could not be delivered')
    throw new AppError('delivery_failed', undefined, { cause: error, headers, retryAfterSeconds: 2 })
  }
}
