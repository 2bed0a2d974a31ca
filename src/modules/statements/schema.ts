// The GraphQL types, queries and mutation for statements.
import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf, enumOf } from '../../kit/input.ts'
import { mutation, performs } from '../../kit/mutation.ts'
import { Node, nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { artifactUrl } from '../artifacts/url.ts'
import { statementListArguments, statementQuery, statementType } from './filter.ts'
import { generateStatement } from './generate.ts'
import { windowText } from './window.ts'

const inOrder = { orderBy: { name: 'asc' as const } }

const StatementTypeEnum = enumOf(statementType)

const StatementType = builder.prismaObject('Statement', {
  interfaces: [Node],
  description:
    'A camt.052 or camt.053 over the anchored receipts of a window. Its balances add up the recorded payments; they are not the wallets’ balances on chain.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    type: t.field({
      type: StatementTypeEnum,
      description: 'The type of its message.',
      resolve: ({ type }) => statementType.parse(type),
    }),
    from: t.expose('from', { type: 'DateTime', description: 'Start of the window, inclusive.' }),
    to: t.expose('to', { type: 'DateTime', description: 'End of the window, exclusive.' }),
    date: t.field({ type: 'Date', description: 'The day, in UTC.', resolve: statement => windowText(statement).date }),
    window: t.string({
      description: 'First and last minute of the window, in UTC: HH:MM-HH:MM.',
      resolve: statement => windowText(statement).window,
    }),
    count: t.exposeInt('count', { description: 'Entries on all pages.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    pages: t.relation('artifacts', { query: inOrder, description: 'The statement’s files, in page order.' }),
    url: t.field({
      type: 'URL',
      description: 'URL to download the first page.',
      select: { artifacts: { ...inOrder, take: 1 } },
      resolve: ({ artifacts }, _, { publicBaseUrl }) => artifacts.map(page => artifactUrl(publicBaseUrl, page)).join(),
    }),
    sha256: t.field({
      type: 'Hash32',
      description: 'SHA-256 of the first page, 0x-prefixed.',
      select: { artifacts: { ...inOrder, take: 1 } },
      resolve: ({ artifacts }) => artifacts.map(page => page.sha256).join(),
    }),
  }),
})

nodeType('Statement', {
  table: 'statements',
  access: 'read',
  read: ({ db, principal }, asked) =>
    db.statement.findMany({ ...asked, where: { ...asked.where, ...ownedBy(principal) } }),
})

mutation('generateStatement', {
  ...performs(generateStatement),
  description: 'Makes a statement of the caller’s project: camt.053 for a whole day, camt.052 for part of one.',
  takes: 'The window of a statement.',
  errors: ['project_key_required', 'not_found', 'validation_failed', 'statement_too_large', 'too_many_requests'],
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
      return db.statement.findFirst({ ...query, where: { ...parse(statementArguments, args), ...ownedBy(principal) } })
    },
  }),
)

builder.prismaObjectField('Project', 'statements', t =>
  t.relatedConnection('statements', {
    cursor: 'id',
    args: argumentsOf(statementListArguments),
    query: args => statementQuery(parse(statementListArguments, args)),
    authScopes: project => ({ project: project.id }),
    extensions: { listSize: connectionSize(20, 100), cost: 1 },
    description: 'The statements of the project, newest first. Only for callers of this project and administrators.',
  }),
)
