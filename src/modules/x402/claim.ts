// The third step of a paid call: the request is admitted and screened, and the payment's row stored with a lease.
import { AppError } from '../../core/errors.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import { screenPayment } from '../compliance/screen-payment.ts'
import { paymentSubject, paymentSubjects } from '../compliance/subject.ts'
import { endpoints } from './endpoints.ts'
import { claimPayment, noteChecks, type Payment } from './ledger.ts'
import { type Prepared, prepare } from './nonce-queue.ts'
import { asPayer, type Purchase } from './purchase.ts'
import { demandEnabled } from './quote.ts'
import type { Verified } from './verify.ts'

// Meanwhile an authorization may expire or be cancelled, so after a longer admission the settlement is simulated again.
const verifiedForMs = 1_000

/**
 * Claims a verified payment, and prepares its settlement meanwhile. Throws `payment_in_progress` if it, or its
 * `payment-identifier`, is stored already.
 */
export async function claim(purchase: Purchase, verified: Verified): Promise<{ payment: Payment; prepared: Prepared }> {
  const { context, facilitator, endpoint, payload, requirement, price: amount, projectId, fingerprint, at } = purchase
  const { network, asset } = facilitator
  const { from: payer, nonce } = payload.authorization
  const { path } = endpoints[endpoint]
  const { payTo } = requirement
  await admit(purchase, { payer, verifiedAt: at })
  const { symbol: currency } = await facilitator.token()
  const subject = paymentSubject({ nonce, network, amount, currency, payer, payTo })
  const checks = await screenPayment(context, subject, { projectId, endpoint: path })
  // Only a payment that is admitted and screened is worth the requests to the nodes.
  const isFresh = Date.now() - verified.at < verifiedForMs
  const prepared = prepare(facilitator, payload, isFresh ? verified.gas : undefined)
  // Its fault is reported where it is awaited, which is not if the claim fails.
  prepared.catch(() => undefined)
  const claimed = await claimPayment(context, {
    network,
    asset,
    payload,
    amount,
    currency,
    payTo,
    endpoint: path,
    fingerprint,
    projectId,
    sinceBlock: verified.sinceBlock,
    verifiedAt: at,
    checks,
  })
  if (claimed === null) throw new AppError('payment_in_progress', undefined, { retryAfterSeconds: 1 })
  return { payment: claimed, prepared }
}

/** Admits and screens the request of a stored payment again, because both may have changed since it was claimed. */
export async function admitAgain(purchase: Purchase, payment: Payment): Promise<void> {
  const { context, endpoint } = purchase
  const { id, projectId } = payment
  await admit(purchase, payment)
  const subject = (await paymentSubjects(sqlOf(context.pool), [id])).get(id)
  if (subject === undefined) throw new Error(`there is no payment ${id}`)
  const checks = await screenPayment(context, subject, { projectId, endpoint: endpoints[endpoint].path })
  if (checks.length > 0) await inTransaction(context, tx => noteChecks(tx, id, checks))
}

/** Call only after verification, because the error may reveal what only the wallet's owner may know. */
async function admit(purchase: Purchase, { payer, verifiedAt }: Pick<Payment, 'payer' | 'verifiedAt'>): Promise<void> {
  demandEnabled(purchase)
  await purchase.paid.admit?.(asPayer(purchase, payer), purchase.input, verifiedAt)
}
