// GraphQL: receipts added up in groups, of the caller and of a project.
import type { GraphQLResolveInfo } from 'graphql'
import { ownedBy } from '../../../core/principal.ts'
import { builder } from '../../../kit/builder.ts'
import type { Context } from '../../../kit/context.ts'
import { groupPageOf, mostGroups, usualGroups } from '../../../kit/groups/arguments.ts'
import { groupSelection, groupsInSql } from '../../../kit/groups/in-sql.ts'
import { countedGroups } from '../../../kit/groups/limits.ts'
import { readGroups } from '../../../kit/groups/read.ts'
import { argumentsOf } from '../../../kit/input.ts'
import { parse } from '../../../kit/parse.ts'
import { selectedIn, writtenInSql } from '../../../kit/sql/index.ts'
import { ownStatement } from '../../../kit/sql-host.ts'
import { search } from '../filter.ts'
import { statsArguments } from './arguments.ts'
import { receiptForm } from './form.ts'
import { type ReceiptGroup, ReceiptStatsConnection } from './types.ts'

const usual = {
  type: ReceiptStatsConnection,
  args: argumentsOf(statsArguments),
  errors: ['too_many_requests'] as const,
  // The field itself charges the rows that are read.
  extensions: {
    cost: 30,
    search,
    listSize: {
      assumedSize: 10,
      maxSize: mostGroups,
      usualMost: countedGroups,
      slicingArguments: ['first'],
      sizedFields: ['edges', 'nodes'],
    },
    hasOwnSemaphore: true,
    ...writtenInSql(
      groupsInSql(
        ({ args, of, project, planner, context }) => {
          const parsed = parse(statsArguments, args)
          const form = receiptForm({ args: parsed, of, project, statement: planner.statement, context })
          return { form, page: groupPageOf(parsed), objects: { agent: 'Agent', project: 'Project' } }
        },
        ({ principal }) => ownedBy(principal).projectId,
      ),
    ),
  },
}
const text = `${usualGroups} groups a page unless \`first\` says otherwise, at most ${mostGroups}. They cost 1 for each 100 receipts that are read or, where counters tell them apart, for each 500 counters: by recording time, status, chain, currency and project alone, filtered by these in quarters of an hour, without \`min\`, \`max\`, \`fiat\` and \`anchoring\`. More than 1,000,000 receipts are refused; counters have no limit.`

function read(context: Context, args: unknown, info: GraphQLResolveInfo, projectId: string | undefined) {
  const parsed = parse(statsArguments, args)
  const statement = ownStatement()
  const project = projectId === undefined ? null : statement.value(projectId, 'uuid')
  const form = receiptForm({ args: parsed, of: groupSelection(selectedIn(info)), project, statement, context })
  return readGroups<ReceiptGroup>(context, 'receipts', { form, statement, page: groupPageOf(parsed) })
}

builder.queryField('receiptStats', t =>
  t.field({
    ...usual,
    description: `Adds up receipts in groups: those of the caller’s project, or all for a service administrator. ${text}`,
    access: 'read',
    input: statsArguments,
    resolve: (_, args, context, info) => read(context, args, info, ownedBy(context.principal).projectId),
  }),
)

builder.prismaObjectField('Project', 'receiptStats', t =>
  t.field({
    ...usual,
    description: `Adds up receipts of the project in groups. ${text}`,
    authScopes: project => ({ project: project.id }),
    resolve: ({ id }, args, context, info) => read(context, args, info, id),
  }),
)
