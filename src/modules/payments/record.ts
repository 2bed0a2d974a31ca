// Records an x402 payment as a receipt, which goes through the usual pipeline. A payment has at most one receipt.
import { z } from 'zod'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import type { ChainAliases } from '../../core/identity.ts'
import { actorOf, ownedBy } from '../../core/principal.ts'
import { originNow } from '../../core/scope.ts'
import { uuid } from '../../core/text.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import { type Done, type VerbTransaction, verb } from '../../kit/verb.ts'
import { type Recorded, recordAll } from '../receipts/record.ts'
import type { Recording } from '../receipts/record-input.ts'
import { resumeReceipt, retryReceipt } from '../receipts/retry.ts'
import { paymentEvent } from '../x402/events.ts'
import { recheck } from '../x402/recheck.ts'
import type { PaymentStatus } from '../x402/states.ts'

const recordPaymentInput = z.strictObject({
  paymentId: uuid.describe('The payment’s UUID.'),
  projectId: uuid
    .nullish()
    .describe(
      'The project of the receipt, for a payment that belongs to no project; for service administrators. The organisation’s own project unless given, if there is exactly one.',
    ),
})

/**
 * Records a payment as a receipt. Returns the existing receipt if there is one, and resumes it if it failed. Errors:
 * `not_found`, `payment_not_settled`, `payment_not_final`, `conflict`, `validation_failed`.
 */
export const recordPayment = verb({
  name: 'payment.record',
  access: 'write',
  input: recordPaymentInput,
  // The periodic look at the chain may come a minute later.
  async prepare({ paymentId: id }, context) {
    const where = { id, ...ownedBy(context.principal) }
    const payment = await context.db.payment.findFirst({ where, select: { finalAt: true, receiptId: true } })
    if (payment === null) throw notFound('payment')
    const { finalAt, receiptId } = payment
    if (finalAt === null && receiptId === null) await recheck(context, id)
  },
  async run(tx, { paymentId, projectId }, { principal, chainAliases }) {
    const recorded = await receiptFor(tx, paymentId, projectId ?? null, actorOf(principal), chainAliases)
    const { receipt, isNew } = recorded.result
    const retried = receipt.status === 'failed' ? await resumeReceipt(tx, receipt) : null
    const entries = recorded.audit === 'unchanged' ? [] : recorded.audit
    return {
      result: { paymentId, receiptId: receipt.id, created: isNew },
      audit: retried === null ? entries : [...entries, { ...retried, action: retryReceipt.name }],
    }
  },
})

/** Returns the receipt that records this payment, and creates it if there is none. Errors: those of `recordPayment`. */
export const receiptFor = async (
  tx: VerbTransaction,
  paymentId: string,
  requested: string | null,
  actor: string,
  aliases: ChainAliases,
) => receiptOf(tx, await locked(tx, paymentId), requested, actor, aliases)

type Payment = {
  id: string
  status: PaymentStatus
  txid: string | null
  projectId: string | null
  receiptId: string | null
  network: string
  amount: string
  currency: string
  payer: string
  payTo: string
  isFinal: boolean
  transferIndex: number | null
  isShared: boolean
}

/** Locks the payment, so that a concurrent call waits and then finds the recorded receipt. */
async function locked({ sql }: VerbTransaction, id: string): Promise<Payment> {
  const [payment] = await sql<Payment>(
    `select id, status::text, txid, project_id as "projectId", receipt_id as "receiptId", network, amount::text, currency,
       payer, pay_to as "payTo", final_at is not null as "isFinal", transfer_index as "transferIndex", is_shared as "isShared"
     from payments where id = $1::uuid for no key update`,
    [id],
  )
  if (payment === undefined) throw notFound('payment')
  return payment
}

async function receiptOf(
  tx: VerbTransaction,
  payment: Payment,
  requested: string | null,
  actor: string,
  aliases: ChainAliases,
): Promise<Done<{ receipt: Receipt; isNew: boolean }>> {
  const { id, receiptId } = payment
  const target = await projectFor(tx, payment, requested)
  if (receiptId !== null) {
    const receipt = await tx.db.receipt.findUniqueOrThrow({ where: { id: receiptId } })
    return { result: { receipt, isNew: false }, audit: 'unchanged' }
  }
  const recording = { input: inputOf(payment), projectId: target, actor, origin: originNow() }
  const [found] = await recordAll(tx.sql, [recording], aliases)
  if (found === undefined) throw new Error('nothing was recorded')
  const { receipt, matchedBy } = found
  const isNew = matchedBy === null
  if (!isNew) await demandSame(tx, found)
  await tx.sql('update payments set receipt_id = $2::uuid, project_id = $3::uuid where id = $1::uuid', [
    id,
    receipt.id,
    receipt.projectId,
  ])
  const { projectId } = receipt
  tx.event(paymentEvent({ id, projectId }, 'recorded'))
  const entry = { objectType: 'payment', objectId: id, projectId, details: { receipt_id: receipt.id } }
  return { result: { receipt, isNew }, audit: [entry] }
}

function inputOf(payment: Payment): Recording['input'] {
  const { id, status, txid, network, amount, currency, payer, payTo, isFinal, transferIndex, isShared } = payment
  if ((status !== 'settled' && status !== 'delivered') || txid === null) throw new AppError('payment_not_settled')
  if (!isFinal) throw new AppError('payment_not_final')
  const settlementTx = isShared ? `${txid}#${transferIndex}` : txid
  const wallets = { senderWallet: payer, receiverWallet: payTo }
  return { settlementTx, chain: network, amount, currency, ...wallets, reference: `x402:${id}` }
}

/** Returns the project of the receipt, to which the payment belongs from then on. */
async function projectFor({ db }: VerbTransaction, { projectId }: Payment, requested: string | null): Promise<string> {
  if (projectId !== null) {
    if (requested === null || requested === projectId) return projectId
    throw new AppError('conflict', 'The payment belongs to another project.')
  }
  if (requested === null) {
    const [house, another] = await db.project.findMany({
      where: { config: { isHouse: true } },
      select: { id: true },
      take: 2,
    })
    if (house !== undefined && another === undefined) return house.id
    const message = 'The payment belongs to no project, and there is not exactly one house project: name a project.'
    throw invalid([{ path: ['input', 'projectId'], message, type: 'missing' }])
  }
  if ((await db.project.count({ where: { id: requested } })) === 0) throw notFound('project')
  return requested
}

/**
 * Throws `conflict` unless a receipt that the project recorded itself has the same data and records no other payment.
 */
async function demandSame({ sql, db }: VerbTransaction, { receipt, matchedBy, differences }: Recorded) {
  // A receipt of the whole transaction with the same data is the receipt of the payment.
  const mayDiffer = matchedBy === 'settlement' ? ['reference', 'settlement_tx'] : ['reference']
  const isSame = differences.every(name => mayDiffer.includes(name))
  if (!isSame) throw new AppError('conflict', `The receipt ${receipt.id} of this project contradicts the payment.`)
  // Locks the receipt, so that two payments cannot both find it free.
  await sql('select id from receipts where id = $1::uuid for no key update', [receipt.id])
  if ((await db.payment.count({ where: { receiptId: receipt.id } })) > 0) {
    throw new AppError('conflict', `The receipt ${receipt.id} records another payment of the same transaction.`)
  }
}
