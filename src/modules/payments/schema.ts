// GraphQL: reads a payment, and records it as a receipt.
import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import type { ReceiptStatus } from '../../core/states.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, perform } from '../../kit/verb.ts'
import { ReceiptStatusEnum } from '../receipts/enums.ts'
import { recordPayment, recordPaymentInput } from './record.ts'
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

type Recorded = { paymentId: string; receiptId: string; status: ReceiptStatus; created: boolean }

const RecordedType = builder.objectRef<Recorded>('RecordedPayment').implement({
  description: 'A payment with the receipt that records it.',
  fields: t => ({
    paymentId: t.exposeID('paymentId', { description: 'The payment’s UUID.' }),
    receiptId: t.exposeID('receiptId', { description: 'The receipt’s UUID.' }),
    status: t.expose('status', { type: ReceiptStatusEnum, description: 'Status of the receipt.' }),
    created: t.exposeBoolean('created', { description: 'Whether this call created the receipt.' }),
    payment: t.prismaField({
      type: PaymentType,
      description: 'The payment.',
      resolve: (query, { paymentId }, _, { db }) =>
        db.payment.findUniqueOrThrow({ ...query, where: { id: paymentId } }),
    }),
  }),
})

const RecordInput = inputType('RecordPaymentInput', 'A payment to record.', recordPaymentInput)

builder.mutationField('recordPayment', t =>
  t.field({
    type: RecordedType,
    description:
      'Records a settled payment as a receipt of its project, which goes through the whole pipeline. A payment that belongs to no project is visible to service administrators only; the project that they name is the payment’s project from then on. If the payment is already recorded, its receipt is returned, and resumes if it failed.',
    args: { input: t.arg({ type: RecordInput, required: true }) },
    ...declarationOf(recordPayment),
    errors: ['not_found', 'payment_not_settled', 'conflict', 'validation_failed'],
    resolve: (_, { input }, context) => perform(context, recordPayment, input),
  }),
)
