// Reads one receipt, and processes a failed one again.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { receiptById } from './load.ts'
import { retryReceipt } from './retry.ts'
import { ReceiptType } from './type.ts'

nodeType('Receipt', {
  table: 'receipts',
  access: 'public',
  read: ({ db }, query) => db.receipt.findMany(query),
})

mutation('retryReceipt', {
  ...performs(retryReceipt),
  description: 'Processes a failed receipt again, starting with its screening.',
  takes: 'A failed receipt to process again.',
  errors: ['not_found', 'invalid_status_transition', 'validation_failed'],
  payload: t => ({
    receipt: t.prismaField({
      type: ReceiptType,
      description: 'The receipt.',
      resolve: (query, { receiptId }, _, { db }) =>
        db.receipt.findUniqueOrThrow({ ...query, where: { id: receiptId } }),
    }),
  }),
})

const byId = z.strictObject({ id: uuid.describe('The receipt’s UUID.') })

builder.queryField('receipt', t =>
  t.prismaField({
    type: ReceiptType,
    nullable: true,
    description: 'One receipt by its id; null when there is none.',
    args: argumentsOf(byId),
    access: 'public',
    input: byId,
    errors: [],
    resolve: (query, _, args, context) => {
      return receiptById(context, query, parse(byId, args).id)
    },
  }),
)
