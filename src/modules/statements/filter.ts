// Filter and order of statement lists.
import { z } from 'zod'
import { anyOf, direction, isBounded, momentRange, within } from '../../core/ranges.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

export const statementType = z.enum(['camt.052', 'camt.053']).meta({
  graphql: 'StatementType',
  description: 'The type of a statement.',
  textInRest: true,
  values: { 'camt.052': 'A statement of part of a day.', 'camt.053': 'A statement of a whole day.' },
})

const statementFilter = z
  .strictObject({
    types: anyOf(statementType).describe('Statements of one of these types.'),
    from: momentRange.nullish().describe('Statements whose window starts in this range of time.'),
    createdAt: momentRange.nullish().describe('Statements that were made in this range of time.'),
  })
  .meta({ graphql: 'StatementFilter', description: 'Selects statements that meet all the given conditions.' })

const statementOrder = z
  .strictObject({
    field: z
      .enum(['created_at', 'from'])
      .meta({
        graphql: 'StatementOrderField',
        description: 'What statements are ordered by.',
        values: { created_at: 'When it was made.', from: 'The start of its window.' },
      })
      .describe('What to order by.'),
    direction: direction.describe('Ascending or descending.'),
  })
  .meta({ graphql: 'StatementOrder', description: 'The order of statements.' })

export const statementListArguments = z.object({
  filter: statementFilter.nullish().describe('Which statements; all unless given.'),
  orderBy: statementOrder
    .nullish()
    .describe('The order. Unless given, newest first: by `from` where that is filtered, else by `createdAt`.'),
})

/** Returns the part of a query that filter and order decide. Errors: `validation_failed`. */
export function statementQuery({ filter, orderBy }: z.output<typeof statementListArguments>) {
  const { types, from, createdAt } = filter ?? {}
  const order = orderBy?.direction ?? 'desc'
  // In the order of another column, PostgreSQL would read all newer statements before those in the range.
  const column = orderBy?.field ?? (isBounded(from) ? 'from' : 'created_at')
  const where: Prisma.StatementWhereInput = {
    ...(types && { type: { in: types } }),
    ...(from && { from: within(from, ['filter', 'from']) }),
    ...(createdAt && { createdAt: within(createdAt, ['filter', 'createdAt']) }),
  }
  return {
    where,
    orderBy: [
      column === 'from' ? { from: order } : { createdAt: order },
      { id: order },
    ] satisfies Prisma.StatementOrderByWithRelationInput[],
  }
}
