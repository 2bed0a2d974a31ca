// GraphQL: lists payments, and records a payment as a receipt.

import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import type { ReceiptStatus } from '../../core/states.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { connectionSize, skipCost, slicedBy } from '../../kit/field-cost.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { ReceiptStatusEnum } from '../receipts/enums.ts'
import { paymentFilterEnums } from './enums.ts'
import { filterArguments, newestFirst, paymentFilter, paymentWhere } from './filter.ts'
import { recordPayment, recordPaymentInput } from './record.ts'
import { PaymentType } from './type.ts'

const connectionFilter = z.object(paymentFilter)

builder.queryField('payments', t =>
  t.prismaConnection(
    {
      type: PaymentType,
      cursor: 'id',
      maxSize: 200,
      defaultSize: 50,
      totalCount: (_, args, { db, principal }) =>
        db.payment.count({ where: paymentWhere(principal, parse(connectionFilter, args)) }),
      description:
        'x402 payments to this service, newest first, as a Relay connection of at most 200 a page: those of the caller’s project, or all for a service administrator.',
      args: argumentsOf(filterArguments, paymentFilterEnums),
      access: 'read',
      input: connectionFilter,
      errors: [],
      extensions: { listSize: connectionSize(50, 200) },
      resolve: (query, _, args, { db, principal }) =>
        db.payment.findMany({
          ...query,
          where: paymentWhere(principal, parse(connectionFilter, args)),
          orderBy: newestFirst,
        }),
    },
    { name: 'PaymentConnection' },
    { name: 'PaymentEdge' },
  ),
)

const listArguments = z.strictObject({
  limit: z.int().min(1).max(200).nullish().meta({ graphql: 'Int', default: 50 }).describe('Page size, 1 to 200.'),
  offset: z.int().min(0).max(1_000_000).nullish().meta({ graphql: 'Int', default: 0 }).describe('Payments to skip.'),
  ...paymentFilter,
})

builder.queryField('paymentList', t =>
  t.prismaField({
    type: [PaymentType],
    description: 'Payments by offset, newest first. Prefer `payments`, whose cursors stay valid as payments come in.',
    args: argumentsOf(listArguments, paymentFilterEnums),
    access: 'read',
    input: listArguments,
    errors: [],
    extensions: {
      listSize: slicedBy('limit', 50, 200),
      cost: ({ offset }: Record<string, unknown>) => skipCost(offset),
    },
    resolve: (query, _, args, { db, principal }) => {
      const { limit, offset, ...filter } = parse(listArguments, args)
      const where = paymentWhere(principal, filter)
      return db.payment.findMany({ ...query, where, orderBy: newestFirst, take: limit ?? 50, skip: offset ?? 0 })
    },
  }),
)

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
    resolve: (_, { input }, context) => runVerb(context, recordPayment, input),
  }),
)
