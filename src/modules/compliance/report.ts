// What a compliance report is made of, for whatever it is about: the checks, and what they amount to.
import type { ComplianceCheck } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'

const TypeEnum = builder.enumType('ComplianceType', {
  values: ['travel_rule', 'sanctions'] as const,
  description: 'What was checked.',
})
export const DecisionEnum = builder.enumType('ComplianceDecision', {
  description: 'What came of it. `unavailable`: there is no provider, or it gave no answer.',
  values: ['allow', 'flag', 'deny', 'unavailable'] as const,
})

export const CheckType = builder.prismaObject('ComplianceCheck', {
  description: 'One finding of a compliance provider.',
  fields: t => ({
    type: t.expose('type', { type: TypeEnum, description: 'What was checked.' }),
    decision: t.expose('decision', { type: DecisionEnum, description: 'What came of it.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why, in the provider’s words: at most 500 characters.',
    }),
    enforced: t.exposeBoolean('enforced', {
      description: 'Whether a denial ends what is checked, and nothing goes on without a decision.',
    }),
    isAwaited: t.boolean({
      description: 'Whether the provider is still to be asked, or to be asked again; the decision may change.',
      resolve: ({ retryAt }) => retryAt !== null,
    }),
    provider: t.exposeString('provider', {
      description:
        'Name of the provider. `none`: no provider is configured and nobody looked. `threshold`: the amount is below the one from which the travel rule applies, and nobody was asked.',
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When the decision was made, or last tried.' }),
  }),
})

type Decision = ComplianceCheck['decision']
const worstFirst: Decision[] = ['deny', 'unavailable', 'flag', 'allow']

/** The worst of the checks; `unavailable` while none was made. */
export const decisionOf = (checks: Pick<ComplianceCheck, 'decision'>[]): Decision =>
  worstFirst.find(worst => checks.some(({ decision }) => decision === worst)) ?? 'unavailable'

/** One of each type. */
export const inOrder = { orderBy: { type: 'asc' } } as const
