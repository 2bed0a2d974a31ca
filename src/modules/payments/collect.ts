// Carries a payment on from wherever it stands, until what it paid for is delivered.
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

/** One call of a paid field, with what there is to pay for it. */
export type Call = {
  context: Context
  facilitator: PaymentFacilitator
  /** Of the price list. */
  path: string
  requirement: PaymentRequirement
  /** Of the key that came with it. */
  projectId: string | null
  /** SHA-256 in hex of what is asked for. */
  fingerprint: string
  /** The challenge, saying why; with `payer` also that the settlement of a payment failed. */
  refuse(error: string, payer?: string): AppError
  /** When it came. */
  at: Date
  /** Refuses what cannot be done. */
  admit(payment: Pick<Payment, 'payer' | 'verifiedAt'>): Promise<void>
  run(payment: Payment): Promise<unknown>
}

const settlePatienceMs = 20_000
export const turnPatienceMs = 10_000

/** Of a payment that is known already. */
export async function again(call: Call, known: Payment, payload: PaymentPayload): Promise<unknown> {
  const { context, facilitator, requirement, refuse, fingerprint, at } = call
  const first = facilitator.restore(known.payload)
  // Whoever only read the authorization in a block has not signed this one.
  const isSame = JSON.stringify(first.authorization) === JSON.stringify(payload.authorization)
  const isSigned = () => facilitator.checkLocally(payload, requirement, at).signedBy === 'payer'
  if (!isSame || !(first.signature === payload.signature || isSigned())) throw refuse('invalid_exact_evm_signature')
  // Nor got the challenge it answers.
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
  if (!payment.isKept) throw new AppError('payment_conflict', 'It was delivered, and the answer is no longer kept.')
  call.context.paying.respond({ 'PAYMENT-RESPONSE': receiptOf(call, payment) })
  return payment.answer
}

const receiptOf = ({ facilitator }: Call, { payer, txid }: Payment) =>
  facilitator.encodeResponse({ payer, transaction: txid ?? '' })

/** Of a payment whose lease this call holds. */
export const collect = (call: Call, payment: Payment, { isAdmitted = true } = {}): Promise<unknown> =>
  underLease(call.context, payment, async () => {
    const { context, facilitator, refuse } = call
    const isUnsent = payment.status === 'verified' && payment.txid === null
    // Before anything is refused: one that reverted stands in a block, where others may have collected it.
    const found = isUnsent && payment.reverts > 0 ? await seekPayment(context, facilitator, payment) : 'unpaid'
    // What could be done when it was offered may not be any more.
    if (!isAdmitted && isUnsent && found === 'unpaid') {
      await call.admit(payment)
      await screenAgain(call, payment)
    }
    const settled = found === 'unpaid' ? await settlePayment(context, facilitator, payment, settlePatienceMs) : found
    if (settled === 'paid') return await deliver(call, payment)
    if (settled === 'failed') throw refuse('settlement_failed', payment.payer)
    // What was sent once may have paid, whatever nodes that lag say: its record ends with its authorization.
    if (settled === 'unpaid' && payment.txid === null) {
      await dropPayment(context, payment.id)
      throw refuse('invalid_exact_evm_transaction_simulation_failed', payment.payer)
    }
    // Never 402, which would make the client pay twice.
    throw new AppError(settled === 'unavailable' ? 'chain_unavailable' : 'settlement_pending')
  })

/** Before it is sent at last: what was found when it was offered may have changed since. */
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
    // Another took over while this process stood still: there is one answer.
    if (!(await noteDelivered(context, payment, answer))) return kept(call, await present())
    context.paying.respond(headers)
    return answer
  } catch (error) {
    context.log.error({ err: error, payment: payment.id }, 'what was paid for could not be delivered')
    throw new AppError('delivery_failed', undefined, { cause: error, headers, retryAfterSeconds: 2 })
  }
}
