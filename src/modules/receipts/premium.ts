// A refund that is paid for, by whoever the receipt is about: neither needs a key.
import { z } from 'zod'
import { AppError, notFound } from '../../core/errors.ts'
import type { Receipt } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { perform, type VerbTransaction, verb } from '../../kit/verb.ts'
import { paidField, whole } from '../payments/field.ts'
import { earlierRefund, refund, refundReceiptInput } from './refund.ts'
import { ReceiptType } from './schema.ts'

type Db = Pick<VerbTransaction['db'], 'receipt' | 'linkedWallet'>

/** The receipt, when this payer may have it refunded. */
async function refundableFor(db: Db, { principal }: Context, id: string): Promise<Receipt> {
  const receipt = await db.receipt.findUnique({ where: { id } })
  if (receipt === null) throw notFound('receipt')
  if (principal.kind !== 'payer') throw new Error('a refund that is paid for has a payer')
  const { senderWallet, receiverWallet, projectId } = receipt
  const { wallet } = principal
  const isParty = wallet === senderWallet || wallet === receiverWallet
  if (isParty || (await db.linkedWallet.count({ where: { projectId, address: wallet } })) > 0) return receipt
  throw new AppError('forbidden', 'Who pays must be a party of the receipt, or a wallet linked to its project.')
}

const refundPaid = verb({
  name: 'receipt.refund',
  access: 'pay',
  input: refundReceiptInput,
  async run(tx, { originalReceiptId, reasonCode }, context) {
    return refund(tx, await refundableFor(tx.db, context, originalReceiptId), reasonCode ?? null, context)
  },
})

const paid = paidField({
  description:
    'Records that an anchored receipt’s payment was given back, as `refundReceipt` does, for a payer who is a party of the receipt or whose wallet is linked to its project. Moves no funds.',
  errors: 'not_found, forbidden, not_anchored, conflict, validation_failed',
  args: refundReceiptInput,
  endpoint: 'refund',
  input: refundReceiptInput,
  // Its status goes on changing.
  output: z.object({ id: z.string() }),
  async admit(context, { originalReceiptId }) {
    const { db, pool } = context
    await earlierRefund({ db, sql: sqlOf(pool) }, await refundableFor(db, context, originalReceiptId), context)
  },
  run: async (context, input) => ({ id: (await perform(context, refundPaid, input)).id }),
})

builder.mutationField('premiumRefund', t =>
  t.prismaField({
    type: ReceiptType,
    ...paid,
    resolve: (query, root, args, context) => {
      const made = paid.resolve(root, args, context)
      return whole(
        context,
        made.then(({ id }) => context.db.receipt.findUniqueOrThrow({ ...query, where: { id } })),
      )
    },
  }),
)
