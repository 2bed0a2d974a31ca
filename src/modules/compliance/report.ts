// GraphQL types of compliance checks and their overall decision, for reports on receipts and on payments.

import { complianceDecision } from '../../core/compliance-decision.ts'
import type { ComplianceCheck } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { described } from '../../kit/enum-names.ts'
import { enumOf } from '../../kit/input.ts'
import { inSql, type Row } from '../../kit/sql/index.ts'

const TypeEnum = builder.enumType('ComplianceType', {
  values: described({
    travel_rule: 'The travel rule.',
    sanctions: 'Sanctions lists.',
    settlement: 'The payment on its own chain.',
  }),
  description: 'Type of a compliance check.',
})
export const DecisionEnum = enumOf(complianceDecision)

export const CheckType = builder.prismaObject('ComplianceCheck', {
  description: 'One finding of a compliance provider.',
  fields: t => ({
    type: t.expose('type', { type: TypeEnum, description: 'Type of the check.' }),
    decision: t.expose('decision', { type: DecisionEnum, description: 'Decision of the check.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Reason for the decision, in the provider’s words: at most 500 characters.',
    }),
    enforced: t.exposeBoolean('enforced', {
      description: 'Whether a denial ends the receipt or payment, which does not proceed without a decision.',
    }),
    isAwaited: t.boolean({
      description: 'Whether the provider is still to be queried, for the first time or again; the decision may change.',
      extensions: inSql(({ column }) => `(${column('retryAt')} is not null)`),
      resolve: ({ retryAt }) => retryAt !== null,
    }),
    provider: t.exposeString('provider', {
      description:
        'Name of the provider. `none`: no provider is configured, and nothing was checked. `threshold`: the amount is below the threshold of the travel rule, and no provider was queried.',
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When the check was made or last tried.' }),
  }),
})

type Decision = ComplianceCheck['decision']
const worstFirst: Decision[] = ['deny', 'unavailable', 'flag', 'allow']

/** Returns the worst decision of the checks; `unavailable` while no check was made. */
export const decisionOf = (checks: Pick<ComplianceCheck, 'decision'>[]): Decision =>
  worstFirst.find(worst => checks.some(({ decision }) => decision === worst)) ?? 'unavailable'

/** The same in SQL, of the checks to which these relations lead; null while no check was made. */
export function decisionInSql({ among }: Row, relations: string): string {
  const worst = `array['${worstFirst.join("', '")}']`
  return among(relations, column => `(${worst})[min(array_position(${worst}, ${column('decision')}::text))]`)
}

/** Orders the checks of a receipt or payment by type. */
export const inOrder = { orderBy: { type: 'asc' } } as const
