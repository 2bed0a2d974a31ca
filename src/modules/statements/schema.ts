// The GraphQL types, queries and mutation for statements.
import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { written } from './filter.ts'
import { generateStatement } from './generate.ts'
import { StatementType } from './type.ts'

nodeType('Statement', {
  table: 'statements',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.statement.findMany({ ...query, where: { ...query.where, ...written, ...ownedBy(principal) } }),
})

nodeType('StatementAccount', {
  table: 'statement_accounts',
  access: 'read',
  read: ({ db, principal }, query) =>
    db.statementAccount.findMany({ ...query, where: { ...query.where, ...ownedBy(principal) } }),
})

mutation('generateStatement', {
  ...performs(generateStatement),
  description:
    'Returns a statement of the caller’s project: of a day that has ended, what the numbered series of its accounts have, the same files each time; of a day that still runs a provisional camt.053, and of part of a day a provisional camt.052.',
  takes: 'The window of a statement.',
  errors: ['project_key_required', 'not_found', 'validation_failed', 'statement_too_large', 'too_many_requests'],
  errorsInGraphql: ['conflict'],
  extensions: { cost: 50 },
  payload: t => ({
    statement: t.prismaField({
      type: StatementType,
      description: 'The statement.',
      resolve: (query, { id }, _, { db }) => db.statement.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
})

const statementArguments = z.strictObject({ id: uuid.describe('The statement’s UUID.') })

builder.queryField('statement', t =>
  t.prismaField({
    type: StatementType,
    nullable: true,
    description: 'One statement of the caller’s project; null when there is none.',
    args: argumentsOf(statementArguments),
    access: 'read',
    input: statementArguments,
    errors: [],
    resolve: (query, _root, args, { db, principal }) => {
      return db.statement.findFirst({
        ...query,
        where: { ...parse(statementArguments, args), ...written, ...ownedBy(principal) },
      })
    },
  }),
)
