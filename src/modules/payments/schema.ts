// GraphQL: reads a payment, and records it as a receipt.
import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { parse } from '../../kit/parse.ts'
import { recordPayment } from './record.ts'
import { PaymentType } from './type.ts'

const byId = z.strictObject({ id: uuid.describe('The payment’s UUID.') })

builder.queryField('payment', t =>
  t.prismaField({
    type: PaymentType,
    nullable: true,
    description: 'One payment that the caller may see; null if there is none.',
    args: argumentsOf(byId),
    access: 'read',
    input: byId,
    errors: [],
    resolve: (query, _, args, { db, principal }) =>
      db.payment.findFirst({ ...query, where: { ...parse(byId, args), ...ownedBy(principal) } }),
  }),
)

mutation('recordPayment', {
  ...performs(recordPayment),
  description:
    'Records a settled payment as a receipt of its project, which goes through the whole pipeline, once its settlement has the configured number of confirmations. If one transaction settled several payments, the settlement of each receipt names the transfer too (`0x…#3`). A payment that belongs to no project is visible to service administrators only; the project that they name is the payment’s project from then on. If the payment is already recorded, its receipt is returned, and resumes if it failed.',
  takes: 'A payment to record.',
  errors: ['not_found', 'payment_not_settled', 'payment_not_final', 'conflict', 'validation_failed'],
  payload: t => ({
    payment: t.prismaField({
      type: PaymentType,
      description: 'The payment.',
      resolve: (query, { paymentId }, _, { db }) =>
        db.payment.findUniqueOrThrow({ ...query, where: { id: paymentId } }),
    }),
    receipt: t.prismaField({
      type: 'Receipt',
      description: 'The receipt that records the payment.',
      resolve: (query, { receiptId }, _, { db }) =>
        db.receipt.findUniqueOrThrow({ ...query, where: { id: receiptId } }),
    }),
    created: t.exposeBoolean('created', { description: 'Whether this call created the receipt.' }),
  }),
})
