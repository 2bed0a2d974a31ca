// GraphQL: lists payments, and records a payment as a receipt.

import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { connectionSize, skipCost, slicedBy } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { parse } from '../../kit/parse.ts'
import { paymentFilterEnums } from './enums.ts'
import { filterArguments, newestFirst, paymentFilter, paymentWhere } from './filter.ts'
import { recordPayment } from './record.ts'
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

mutation('recordPayment', {
  ...performs(recordPayment),
  description:
    'Records a settled payment as a receipt of its project, which goes through the whole pipeline. A payment that belongs to no project is visible to service administrators only; the project that they name is the payment’s project from then on. If the payment is already recorded, its receipt is returned, and resumes if it failed.',
  takes: 'A payment to record.',
  errors: ['not_found', 'payment_not_settled', 'conflict', 'validation_failed'],
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
