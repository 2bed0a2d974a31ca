// What GraphQL shows of compliance checks: the receipt's own project and administrators only.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import type { ComplianceCheck } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'

const TypeEnum = builder.enumType('ComplianceType', {
  values: ['travel_rule', 'sanctions'] as const,
  description: 'What was checked.',
})
const DecisionEnum = builder.enumType('ComplianceDecision', {
  description: 'What came of it. `unavailable`: the provider could not be asked.',
  values: ['allow', 'flag', 'deny', 'unavailable'] as const,
})

const CheckType = builder.prismaObject('ComplianceCheck', {
  description: 'One finding of a compliance provider.',
  fields: t => ({
    type: t.expose('type', { type: TypeEnum, description: 'What was checked.' }),
    decision: t.expose('decision', { type: DecisionEnum, description: 'What came of it.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, in the provider’s words.' }),
    provider: t.exposeString('provider', {
      description: 'Who said so. `none`: no provider is configured and all is allowed.',
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When.' }),
  }),
})

type Decision = ComplianceCheck['decision']
const worstFirst: Decision[] = ['deny', 'unavailable', 'flag', 'allow']

const ReportType = builder.objectRef<{ receiptId: string; checks: ComplianceCheck[] }>('ComplianceReport').implement({
  description: 'All checks of a receipt and what they amount to.',
  fields: t => ({
    receiptId: t.exposeID('receiptId', { description: 'The receipt’s UUID.' }),
    decision: t.field({
      type: DecisionEnum,
      description: 'The worst of the checks; `unavailable` while none was made.',
      resolve: ({ checks }) =>
        worstFirst.find(worst => checks.some(check => check.decision === worst)) ?? 'unavailable',
    }),
    checks: t.expose('checks', { type: [CheckType], description: 'One of each type.' }),
  }),
})

const reportArguments = z.strictObject({ receiptId: uuid.describe('The receipt’s UUID.') })

builder.queryField('complianceReport', t =>
  t.field({
    type: ReportType,
    nullable: true,
    description:
      'The compliance checks of a receipt of one’s own project; null when there is no such receipt. Errors: unauthenticated.',
    authScopes: { access: 'read' },
    args: argumentsOf(reportArguments),
    extensions: { access: 'read', input: reportArguments },
    resolve: async (_, args, { db, principal }) => {
      const { receiptId } = parse(reportArguments, args)
      const own = principal.kind === 'key' ? { projectId: principal.projectId } : {}
      const receipt = await db.receipt.findFirst({
        where: { id: receiptId, ...own },
        select: { checks: { orderBy: { type: 'asc' } } },
      })
      return receipt && { receiptId, checks: receipt.checks }
    },
  }),
)
