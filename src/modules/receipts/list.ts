// Receipts as a connection: of the caller, of a project, and as the refunds of a receipt.
import { z } from 'zod'
import type { Project } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { fromOffset } from '../../kit/connections.ts'
import type { Context } from '../../kit/context.ts'
import { type Arguments, connectionSize, counterCost } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { tableOf } from './counters.ts'
import { ReceiptScopeEnum } from './enums.ts'
import { newestFirst, receiptListArguments, receiptQuery, search, visibleReceipts } from './filter.ts'
import { totalOf } from './total.ts'
import { ReceiptType } from './type.ts'

const listArguments = z.object({
  scope: z
    .enum(['mine', 'all'])
    .nullish()
    // In GraphQL, administrators see all projects in each list.
    .meta({ default: 'mine', restOnly: true })
    .describe('`MINE`: the receipts of the key’s project. `ALL`: every project’s; service administrators only.'),
  ...receiptListArguments,
})

const ReceiptConnection = connectionType(ReceiptType, 'Receipt', 'A receipt', counterCost)

builder.queryField('receipts', t =>
  t.prismaConnection(
    {
      type: ReceiptType,
      cursor: 'id',
      maxSize: 200,
      defaultSize: 20,
      description:
        'Receipts, newest first, at most 200 a page: those of the caller’s project, or all for a service administrator.',
      args: argumentsOf(listArguments, { scope: ReceiptScopeEnum }),
      access: 'read',
      input: listArguments,
      errors: ['forbidden'],
      errorsInGraphql: ['project_key_required'],
      extensions: {
        listSize: connectionSize(20, 200),
        search,
        total: (_: unknown, args: object, context: Context) => {
          const { scope, ...list } = parse(listArguments, args)
          return totalOf(context, visibleReceipts(context.principal, scope), list)
        },
        countTable: (args: Arguments) => tableOf(parse(listArguments, args)),
      },
      resolve: (query, _, args, { db, principal, chainAliases }) => {
        const { scope, ...list } = parse(listArguments, args)
        const { where, orderBy } = receiptQuery(list, { chainAliases })
        const visible = { AND: [visibleReceipts(principal, scope), where] }
        return db.receipt.findMany({ ...fromOffset(query, args), where: visible, orderBy })
      },
    },
    ReceiptConnection,
  ),
)

const projectArguments = z.object(receiptListArguments)

builder.prismaObjectField('Project', 'receipts', t =>
  t.relatedConnection(
    'receipts',
    {
      cursor: 'id',
      maxSize: 200,
      defaultSize: 20,
      authScopes: project => ({ project: project.id }),
      args: argumentsOf(projectArguments),
      query: (args, context) => receiptQuery(parse(projectArguments, args), context),
      extensions: {
        listSize: connectionSize(20, 200),
        cost: 1,
        search,
        total: ({ id }: Project, args: object, context: Context) =>
          totalOf(context, { projectId: id }, parse(projectArguments, args)),
        countTable: (args: Arguments) => tableOf(parse(projectArguments, args)),
      },
      description: 'The receipts of the project, newest first.',
    },
    ReceiptConnection,
  ),
)

builder.prismaObjectField('Receipt', 'refunds', t =>
  t.relatedConnection(
    'refunds',
    {
      cursor: 'id',
      maxSize: 200,
      defaultSize: 5,
      totalCount: true,
      authScopes: receipt => ({ project: receipt.projectId }),
      query: { orderBy: newestFirst },
      extensions: { listSize: connectionSize(5, 200) },
      description: 'The receipts that refund this one, newest first.',
    },
    ReceiptConnection,
  ),
)
