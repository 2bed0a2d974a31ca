// What a compliance report is made of, for whatever it is about: the checks, and what they amount to.
import type { ComplianceCheck } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'

const TypeEnum = builder.enumType('ComplianceType', {
  values: ['travel_rule', 'sanctions'] as const,
  description: 'What was checked.',
})
export const DecisionEnum = builder.enumType('ComplianceDecision', {
  description: 'What came of it. `unavailable`: there is no provider, or it could not be asked.',
  values: ['allow', 'flag', 'deny', 'unavailable'] as const,
})

export const CheckType = builder.prismaObject('ComplianceCheck', {
  description: 'One finding of a compliance provider.',
  fields: t => ({
    type: t.expose('type', { type: TypeEnum, description: 'What was checked.' }),
    decision: t.expose('decision', { type: DecisionEnum, description: 'What came of it.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, in the provider’s words.' }),
    provider: t.exposeString('provider', {
      description: 'Name of the provider; `none` where no provider is configured and nobody looked.',
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When.' }),
  }),
})

type Decision = ComplianceCheck['decision']
const worstFirst: Decision[] = ['deny', 'unavailable', 'flag', 'allow']

/** The worst of the checks; `unavailable` while none was made. */
export const decisionOf = (checks: Pick<ComplianceCheck, 'decision'>[]): Decision =>
  worstFirst.find(worst => checks.some(({ decision }) => decision === worst)) ?? 'unavailable'

/** One of each type. */
export const inOrder = { orderBy: { type: 'asc' } } as const
