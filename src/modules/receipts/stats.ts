// GraphQL: receipts added up in groups, of the caller and of a project.
import type { GraphQLResolveInfo } from 'graphql'
import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { selects, writtenInSql } from '../../kit/sql/index.ts'
import { addUp, type ReceiptGroup, sumsOf } from './add-up.ts'
import { groupsInSql } from './add-up-in-sql.ts'
import { receiptFilter, receiptQuery, search } from './filter.ts'

const statsArguments = z.object({
  filter: receiptFilter.nullish().describe('Which receipts; all unless given.'),
  by: z
    .enum(['day', 'status', 'currency', 'chain'])
    .meta({
      graphql: 'ReceiptStatsGrouping',
      description: 'What receipts are grouped by.',
      values: {
        day: 'The day on which it was recorded, in UTC.',
        status: 'The status.',
        currency: 'The currency or asset.',
        chain: 'The chain of the payment, by any of its names.',
      },
    })
    .nullish()
    .describe('What to group by; unless given, all receipts are one group.'),
})

const SumType = builder.objectRef<ReceiptGroup['sums'][number]>('ReceiptSum').implement({
  description: 'The receipts of a group in one currency.',
  fields: t => ({
    currency: t.exposeString('currency', { description: 'Currency or asset.' }),
    count: t.exposeInt('count', { description: 'Number of receipts.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Sum of their amounts, exactly.' }),
  }),
})

const TimesType = builder.objectRef<Pick<ReceiptGroup, 'p50' | 'p95'>>('AnchoringTimes').implement({
  description:
    'Seconds from the record of a receipt to the block of its anchor, over the anchored receipts of a group.',
  fields: t => ({
    p50: t.exposeFloat('p50', { nullable: true, description: 'The median, in seconds; null while none is anchored.' }),
    p95: t.exposeFloat('p95', {
      nullable: true,
      description: 'The 95th percentile, in seconds; null while none is anchored.',
    }),
  }),
})

const StatsType = builder.objectRef<ReceiptGroup>('ReceiptStats').implement({
  description: 'A group of receipts, added up.',
  fields: t => ({
    key: t.exposeString('key', {
      nullable: true,
      description:
        'What the receipts of the group have in common: a day such as `2026-01-31`, a value of `ReceiptStatus`, a currency, or a chain by one of the names in its receipts. Null for all receipts.',
    }),
    count: t.exposeInt('count', { description: 'Number of receipts.' }),
    sums: t.expose('sums', {
      type: [SumType],
      extensions: { listSize: { assumedSize: 2 } },
      description: 'One sum for each currency, because amounts of different currencies cannot be added up.',
    }),
    anchoring: t.field({ type: TimesType, description: 'How long anchoring took.', resolve: group => group }),
  }),
})

function argumentsIn(args: unknown) {
  const { filter, by } = parse(statsArguments, args)
  return { filter, by: by ?? ('all' as const) }
}

const usual = {
  type: [StatsType] as [typeof StatsType],
  args: argumentsOf(statsArguments),
  errors: ['too_many_requests'] as const,
  // The field itself charges the rows that are added up and the groups that come.
  extensions: {
    cost: 50,
    search,
    listSize: { assumedSize: 1 },
    hasOwnSemaphore: true,
    ...writtenInSql(groupsInSql(argumentsIn)),
  },
}
const groupsText =
  'Only groups with receipts are listed, by key. They cost 1 for each two groups, counted once for each of their currencies, and 1 for each 100 receipts; or for each 100 counters, which have the sums (without `anchoring`, by no day, filtered by statuses, chains and currencies alone); they are refused for more than 1,000,000 receipts. All are refused for more than 1,000 groups, counted once for each of their currencies.'

function read(
  context: Context,
  args: unknown,
  info: GraphQLResolveInfo,
  visible: Prisma.ReceiptWhereInput,
): Promise<ReceiptGroup[]> {
  const { filter, by } = argumentsIn(args)
  const sums = sumsOf(filter, by, selects(info, 'anchoring'))
  return addUp(context, { AND: [visible, receiptQuery({ filter }, context).where] }, sums)
}

builder.queryField('receiptStats', t =>
  t.field({
    ...usual,
    description: `Adds up receipts in groups: those of the caller’s project, or all for a service administrator. ${groupsText}`,
    access: 'read',
    input: statsArguments,
    resolve: (_, args, context, info) => read(context, args, info, ownedBy(context.principal)),
  }),
)

builder.prismaObjectField('Project', 'receiptStats', t =>
  t.field({
    ...usual,
    description: `Adds up receipts of the project in groups. ${groupsText}`,
    authScopes: project => ({ project: project.id }),
    resolve: ({ id }, args, context, info) => read(context, args, info, { projectId: id }),
  }),
)
