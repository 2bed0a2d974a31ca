// GraphQL: receipts added up in groups, of the caller and of a project.
import { ownedBy } from '../../../core/principal.ts'
import { builder } from '../../../kit/builder.ts'
import { groupsField, pageText } from '../../../kit/groups/field.ts'
import { argumentsOf } from '../../../kit/input.ts'
import { search } from '../../receipts/filter.ts'
import { statsArguments } from './arguments.ts'
import { receiptForm } from './form.ts'
import { type ReceiptGroup, ReceiptStatsConnection } from './types.ts'

const { extensions, read } = groupsField({
  input: statsArguments,
  what: 'receipts',
  search,
  objects: { agent: 'Agent', project: 'Project' },
  form: receiptForm,
})
const usual = {
  type: ReceiptStatsConnection,
  args: argumentsOf(statsArguments),
  errors: ['too_many_requests'] as const,
  extensions,
}
const text = `${pageText} They cost 1 for each 100 receipts that are read or, where counters tell them apart, for each 500 counters: by recording time, status, chain, currency and project alone, filtered by these in quarters of an hour, without \`min\`, \`max\`, \`fiat\` and \`anchoring\`. More than 1,000,000 receipts are refused; counters have no limit.`

builder.queryField('receiptStats', t =>
  t.field({
    ...usual,
    description: `Adds up receipts in groups: those of the caller’s project, or all for a service administrator. ${text}`,
    access: 'read',
    input: statsArguments,
    resolve: (_, args, context, info) => read<ReceiptGroup>(context, args, info, ownedBy(context.principal).projectId),
  }),
)

builder.prismaObjectField('Project', 'receiptStats', t =>
  t.field({
    ...usual,
    description: `Adds up receipts of the project in groups. ${text}`,
    authScopes: project => ({ project: project.id }),
    resolve: ({ id }, args, context, info) => read<ReceiptGroup>(context, args, info, id),
  }),
)
