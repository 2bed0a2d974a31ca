// The list of receipts by page number, for clients of the REST API.
import { z } from 'zod'
import type { Receipt } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { countCost, skipCost, slicedBy } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { receiptFilterEnums } from './enums.ts'
import { newestFirst, receiptFilter, receiptWhere } from './filter.ts'
import { ReceiptType } from './schema.ts'

const pageArguments = z.strictObject({
  ...receiptFilter,
  page: z.int().min(1).max(1_000_000).nullish().meta({ graphql: 'Int', default: 1 }).describe('Page number, from 1.'),
  pageSize: z
    .int()
    .min(1)
    .max(200)
    .nullish()
    .meta({ graphql: 'Int', default: 20 })
    .describe('Receipts a page, 1 to 200.'),
})

type Page = { items: Receipt[]; total: number; page: number; pageSize: number }

const ReceiptPage = builder.objectRef<Page>('ReceiptPage').implement({
  description: 'One page of receipts, newest first.',
  fields: t => ({
    items: t.expose('items', { type: [ReceiptType], description: 'The receipts of this page.' }),
    total: t.exposeInt('total', { description: 'Receipts on all pages.' }),
    page: t.exposeInt('page', { description: 'Page number, from 1.' }),
    pageSize: t.exposeInt('pageSize', { description: 'Receipts a page.' }),
  }),
})

builder.queryField('receiptPage', t =>
  t.field({
    type: ReceiptPage,
    description: 'Receipts by page number, newest first. Prefer `receipts`, whose cursors survive new receipts.',
    args: argumentsOf(pageArguments, receiptFilterEnums),
    access: 'read',
    input: pageArguments,
    errors: [],
    extensions: {
      listSize: { ...slicedBy('pageSize', 20, 200), sizedFields: ['items'] },
      cost: ({ page, pageSize }: Record<string, unknown>) =>
        countCost + skipCost((Number(page ?? 1) - 1) * Number(pageSize ?? 20)),
    },
    resolve: async (_, args, context) => {
      const { page, pageSize, ...filter } = parse(pageArguments, args)
      const [number, size] = [page ?? 1, pageSize ?? 20]
      const where = receiptWhere(context.principal, filter)
      const [items, total] = await Promise.all([
        context.db.receipt.findMany({ where, orderBy: newestFirst, skip: (number - 1) * size, take: size }),
        context.db.receipt.count({ where }),
      ])
      return { items, total, page: number, pageSize: size }
    },
  }),
)
