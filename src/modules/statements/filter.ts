// Filter and order of statement lists.
import { z } from 'zod'
import { anyOf, dayRange, direction, isBounded, momentRange, within } from '../../core/ranges.ts'
import { uuid } from '../../core/text.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

export const statementType = z.enum(['camt.052', 'camt.053']).meta({
  graphql: 'StatementType',
  description: 'The type of a statement.',
  textInRest: true,
  values: { 'camt.052': 'A statement of part of a day.', 'camt.053': 'A statement of a whole day.' },
})

export const statementKind = z.enum(['series', 'copy', 'report', 'provisional', 'earlier']).meta({
  graphql: 'StatementKind',
  description: 'What a statement is, beside its type.',
  values: {
    series: 'One of the numbered statements of an account, of a day that has ended. The service makes each once.',
    copy: 'All accounts of a project on a day that has ended: copies of their numbered statements, and the balances of the others.',
    report:
      'Of a day that has ended, outside the series: of a wallet over all projects, of an account that only held a balance, or of a day before the series began.',
    provisional:
      'Of part of a day, or of a day that had not ended; of a wallet also in the first 15 minutes after the day, when payments of it may still become known.',
    earlier: 'Made by an earlier version of the service, which had no series.',
  },
})

const statementFilter = z
  .strictObject({
    types: anyOf(statementType).describe('Statements of one of these types.'),
    kinds: anyOf(statementKind).describe('Statements of one of these kinds.'),
    account: uuid.nullish().describe('Statements of this account alone, by its UUID.'),
    date: dayRange.nullish().describe('Statements of these days.'),
    from: momentRange.nullish().describe('Statements whose period starts in this range of time.'),
    createdAt: momentRange.nullish().describe('Statements that were made in this range of time.'),
  })
  .meta({ graphql: 'StatementFilter', description: 'Selects statements that meet all the given conditions.' })

const statementOrder = z
  .strictObject({
    field: z
      .enum(['created_at', 'from', 'date'])
      .meta({
        graphql: 'StatementOrderField',
        description: 'What statements are ordered by.',
        values: { created_at: 'When it was made.', from: 'The start of its period.', date: 'Its day.' },
      })
      .describe('What to order by.'),
    direction: direction.describe('Ascending or descending.'),
  })
  .meta({ graphql: 'StatementOrder', description: 'The order of statements.' })

export const statementListArguments = z.object({
  filter: statementFilter.nullish().describe('Which statements; all unless given.'),
  orderBy: statementOrder
    .nullish()
    .describe(
      'The order. Unless given, newest first: by `from` or `date` where that is filtered, else by `createdAt`.',
    ),
})

/** A numbered statement is shown when its files are written. */
export const written: Prisma.StatementWhereInput = { OR: [{ number: null }, { bundleHash: { not: null } }] }

type Direction = z.output<typeof direction>
const columns = {
  created_at: (order: Direction) => ({ createdAt: order }),
  from: (order: Direction) => ({ from: order }),
  date: (order: Direction) => ({ day: order }),
}

/** Returns the part of a query that filter and order decide. */
export function statementQuery({ filter, orderBy }: z.output<typeof statementListArguments>) {
  const { types, kinds, account, date, from, createdAt } = filter ?? {}
  const order = orderBy?.direction ?? 'desc'
  // In the order of another column, PostgreSQL would read all newer statements before those in the range.
  const column = orderBy?.field ?? (isBounded(from) ? 'from' : date?.since || date?.until ? 'date' : 'created_at')
  const where: Prisma.StatementWhereInput = {
    ...written,
    ...(types && { type: { in: types } }),
    ...(kinds && { kind: { in: kinds } }),
    ...(account && { accountId: account }),
    ...(date && { day: { ...(date.since && { gte: date.since }), ...(date.until && { lte: date.until }) } }),
    ...(from && { from: within(from) }),
    ...(createdAt && { createdAt: within(createdAt) }),
  }
  return {
    where,
    orderBy: [columns[column](order), { id: order }] satisfies Prisma.StatementOrderByWithRelationInput[],
  }
}
