// The paid (x402) refund, for a party of the receipt or a wallet linked to its project: neither needs an API key.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import type { Context } from '../../kit/context.ts'
import { demandProjectHere } from '../../kit/moving.ts'
import { mutation } from '../../kit/mutation.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { runVerb, type VerbTransaction, verb } from '../../kit/verb.ts'
import { paidMutation, whole } from '../x402/field.ts'
import { receiptStatus } from './filter.ts'
import { matchRefund } from './match-refund.ts'
import { refund, refundReceiptInput, statedIn } from './refund.ts'
import { ReceiptType } from './type.ts'

type Input = z.output<typeof refundReceiptInput>
type Db = Pick<VerbTransaction['db'], 'receipt' | 'linkedWallet'>

/** Returns the receipt when this payer may record its refund, and what it states. Errors: `not_found`, `forbidden`. */
async function refundableFor(db: Db, { principal }: Context, input: Input) {
  const { originalReceiptId: id, refundTx } = input
  const receipt = await db.receipt.findUnique({ where: { id } })
  if (receipt === null) throw notFound('receipt')
  if (principal.kind !== 'payer') throw new Error('a refund that is paid for has a payer')
  const { senderKey, receiverKey, projectId } = receipt
  const { wallet } = principal
  const own = { receipt, stated: statedIn(input, false) }
  if (wallet === receiverKey) return own
  if ((await db.linkedWallet.count({ where: { projectId, address: wallet } })) > 0) return own
  if (wallet !== senderKey) {
    throw new AppError('forbidden', 'The payer must be a party of the receipt, or a wallet linked to its project.')
  }
  // A transaction stated by the sender would book a debit on the receiver's account.
  if (refundTx)
    throw new AppError('forbidden', 'Only the party that gave the money back can state by which transaction.')
  return { receipt, stated: statedIn(input, true) }
}

const refundPaid = verb({
  name: 'receipt.refund',
  access: 'pay',
  input: refundReceiptInput,
  async run(tx, input, context) {
    const { receipt, stated } = await refundableFor(tx.db, context, input)
    return refund(tx, receipt.id, stated, context)
  },
})

mutation('premiumRefund', {
  ...paidMutation({
    description:
      'Records that an anchored receipt’s payment was given back, as `refundReceipt` does, for a payer who is a party of the receipt or whose wallet is linked to its project. The sender of the original payment may announce its refund, but not state its transaction; that takes nothing from what the project can refund. Moves no funds.',
    errors: ['not_found', 'forbidden', 'not_anchored', 'conflict', 'refund_too_large', 'validation_failed'],
    rules: refundReceiptInput,
    endpoint: 'refund',
    input: refundReceiptInput,
    // The status of an answer that is told again is that of the first time. Answers stored earlier have none.
    output: z.object({ id: z.string(), status: receiptStatus.optional() }),
    async admit(context, input) {
      const { db, pool } = context
      const { receipt, stated } = await refundableFor(db, context, input)
      // It could not be recorded once it is paid for, and the payment belongs to no project that goes along.
      await demandProjectHere(sqlOf(pool), receipt.projectId)
      await matchRefund({ db, sql: sqlOf(pool) }, receipt, stated, context)
    },
    async run(context, input) {
      const { id, status } = await runVerb(context, refundPaid, input)
      return { id, status }
    },
  }),
  takes: 'A payment that was given back.',
  payload: t => ({
    refund: t.prismaField({
      type: ReceiptType,
      description: 'The receipt of the refund.',
      resolve: async (query, { id, status }, _, context) => {
        const receipt = await whole(context, context.db.receipt.findUniqueOrThrow({ ...query, where: { id } }))
        return status === undefined ? receipt : { ...receipt, status }
      },
    }),
  }),
})
