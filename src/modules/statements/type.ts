// The GraphQL type of a statement.
import { builder } from '../../kit/builder.ts'
import { enumOf } from '../../kit/input.ts'
import { Node } from '../../kit/node.ts'
import { inSql } from '../../kit/sql/field.ts'
import { artifactUrl } from '../artifacts/url.ts'
import { statementType } from './filter.ts'
import { windowInSql, windowText } from './window.ts'

const inOrder = { orderBy: { name: 'asc' as const } }

const StatementTypeEnum = enumOf(statementType)

export const StatementType = builder.prismaObject('Statement', {
  interfaces: [Node],
  description:
    'A camt.052 or camt.053 over the anchored receipts of a window. Its balances add up the recorded payments; they are not the wallets’ balances on chain.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    type: t.field({
      type: StatementTypeEnum,
      description: 'The type of its message.',
      extensions: inSql(({ column }) => column('type')),
      resolve: ({ type }) => statementType.parse(type),
    }),
    from: t.expose('from', { type: 'DateTime', description: 'Start of the window, inclusive.' }),
    to: t.expose('to', { type: 'DateTime', description: 'End of the window, exclusive.' }),
    date: t.field({
      type: 'Date',
      description: 'The day, in UTC.',
      extensions: inSql(({ column }) => windowInSql(column('from'), column('to')).date),
      resolve: statement => windowText(statement).date,
    }),
    window: t.string({
      description: 'First and last minute of the window, in UTC: HH:MM-HH:MM.',
      extensions: inSql(({ column }) => windowInSql(column('from'), column('to')).window),
      resolve: statement => windowText(statement).window,
    }),
    count: t.exposeInt('count', { description: 'Entries on all pages.' }),
    project: t.relation('project', {
      nullable: true,
      description: 'The project whose payments it lists; null for the statement of a wallet.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    pages: t.relation('artifacts', { query: inOrder, description: 'The statement’s files, in page order.' }),
    url: t.field({
      type: 'URL',
      description: 'URL to download the first page.',
      extensions: inSql(
        ({ column, among, value }, { publicBaseUrl }) =>
          `${value(`${publicBaseUrl}/files/`)} || ${column('id')} || '/' || ${among('artifacts', page => `min(${page('name')})`)}`,
      ),
      select: { artifacts: { ...inOrder, take: 1 } },
      resolve: ({ artifacts }, _, { publicBaseUrl }) => artifacts.map(page => artifactUrl(publicBaseUrl, page)).join(),
    }),
    sha256: t.field({
      type: 'Hash32',
      description: 'SHA-256 of the first page, 0x-prefixed.',
      extensions: inSql(({ among }) =>
        among('artifacts', page => `(array_agg(${page('sha256')} order by ${page('name')}))[1]`),
      ),
      select: { artifacts: { ...inOrder, take: 1 } },
      resolve: ({ artifacts }) => artifacts.map(page => page.sha256).join(),
    }),
  }),
})
