// Statements as a connection: of a project, and of a receipt.
import type { Prisma, StatementKind } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionType } from '../../kit/connection-type.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { listByColumns } from '../../kit/sql/index.ts'
import { statementListArguments, statementQuery } from './filter.ts'
import { StatementAccountType, StatementType } from './type.ts'

const StatementConnection = connectionType(StatementType, 'Statement', 'A statement')

const page = { cursor: 'id', maxSize: 100, defaultSize: 20 } as const
const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

builder.prismaObjectField('Project', 'statements', t =>
  t.relatedConnection(
    'statements',
    {
      ...page,
      totalCount: true,
      args: argumentsOf(statementListArguments),
      query: args => statementQuery(parse(statementListArguments, args)),
      authScopes: project => ({ project: project.id }),
      extensions: { listSize: connectionSize(20, 100), cost: 1, search: { usualOrder: 'createdAt' } },
      description: 'The statements of the project, newest first. Only for callers of this project and administrators.',
    },
    StatementConnection,
  ),
)

const AccountConnection = connectionType(StatementAccountType, 'StatementAccount', 'An account')

builder.prismaObjectField('Project', 'statementAccounts', t =>
  t.relatedConnection(
    'statementAccounts',
    {
      ...page,
      totalCount: true,
      query: { orderBy: { id: 'asc' } },
      authScopes: project => ({ project: project.id }),
      extensions: { listSize: connectionSize(20, 100) },
      description:
        'The accounts on which the project was paid and that have a series of statements, with their balances, in no particular order. Only for callers of this project and administrators.',
    },
    AccountConnection,
  ),
)

builder.prismaObjectField('StatementAccount', 'statements', t =>
  t.relatedConnection(
    'statements',
    {
      ...page,
      totalCount: true,
      query: { where: { kind: 'series', bundleHash: { not: null } }, orderBy: [{ number: 'desc' }, { id: 'desc' }] },
      extensions: { listSize: connectionSize(20, 100) },
      description: 'The numbered statements of the account, newest first.',
    },
    StatementConnection,
  ),
)

builder.prismaObjectField('Receipt', 'statementEntries', t =>
  t.relation('statementEntries', {
    query: { where: { statement: { bundleHash: { not: null } } }, orderBy: { side: 'asc' } },
    authScopes: receipt => ({ project: receipt.projectId }),
    extensions: { listSize: { assumedSize: 2 } },
    description:
      'The receipt as an entry of numbered statements: on the account of its receiver, of its sender, or both. Empty until the statement of its day is written, and where it was booked before the series began. Only for callers of this project and administrators.',
  }),
)

type Booked = { projectId: string; bookedAt: Date | null }

const outsideSeries: StatementKind[] = ['provisional', 'report', 'earlier']

/** Such a statement lists the receipts of its project that were booked in its window, as far as they were by then. */
const listing = ({ projectId, bookedAt }: Booked): Prisma.StatementWhereInput =>
  bookedAt === null
    ? { id: { in: [] } }
    : {
        kind: { in: outsideSeries },
        accountId: null,
        projectId,
        from: { lte: bookedAt },
        to: { gt: bookedAt },
        createdAt: { gte: bookedAt },
      }

builder.prismaObjectField('Receipt', 'statements', t =>
  t.prismaConnection(
    {
      ...page,
      defaultSize: 5,
      type: StatementType,
      totalCount: (receipt, _, { db }) => db.statement.count({ where: listing(receipt) }),
      authScopes: receipt => ({ project: receipt.projectId }),
      // No foreign key leads from such a statement to its receipts, so each receipt costs a query of its own.
      extensions: { listSize: connectionSize(5, 100), cost: 2, ...listByColumns },
      description:
        'The statements of all accounts of the project that were made on request after the receipt was booked, for a window with that moment, newest first. `statementEntries` has the numbered statements.',
      resolve: (query, receipt, _, { db }) =>
        db.statement.findMany({ ...query, where: listing(receipt), orderBy: newestFirst }),
    },
    StatementConnection,
  ),
)
