// GraphQL: payments added up in groups, of the caller and of a project.
import { ownedBy } from '../../../core/principal.ts'
import { builder } from '../../../kit/builder.ts'
import { groupsField, pageText } from '../../../kit/groups/field.ts'
import { argumentsOf } from '../../../kit/input.ts'
import { statsArguments } from './arguments.ts'
import { paymentForm } from './form.ts'
import { type PaymentGroup, PaymentStatsConnection } from './types.ts'

const { extensions, read } = groupsField({
  input: statsArguments,
  what: 'payments',
  search: { usualOrder: 'verifiedAt' },
  objects: { agent: 'Agent', project: 'Project' },
  form: paymentForm,
})
const usual = {
  type: PaymentStatsConnection,
  args: argumentsOf(statsArguments),
  errors: ['too_many_requests'] as const,
  extensions,
}
const text = `${pageText} They cost 1 for each 100 payments that are read. More than 1,000,000 are refused.`

builder.queryField('paymentStats', t =>
  t.field({
    ...usual,
    description: `Adds up x402 payments to this service in groups: those of the caller’s project, or all for a service administrator. ${text}`,
    access: 'read',
    input: statsArguments,
    resolve: (_, args, context, info) => read<PaymentGroup>(context, args, info, ownedBy(context.principal).projectId),
  }),
)

builder.prismaObjectField('Project', 'paymentStats', t =>
  t.field({
    ...usual,
    description: `Adds up x402 payments of the project to this service in groups. ${text}`,
    authScopes: project => ({ project: project.id }),
    resolve: ({ id }, args, context, info) => read<PaymentGroup>(context, args, info, id),
  }),
)
