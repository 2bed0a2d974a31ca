// The compliance checks of a receipt, for the receipt's project and administrators only.
import { builder } from '../../kit/builder.ts'
import { asRelation, inSql } from '../../kit/sql/index.ts'
import { CheckType, DecisionEnum, decisionInSql, decisionOf, inOrder } from './report.ts'

builder.prismaObjectField('Receipt', 'complianceDecision', t =>
  t.field({
    type: DecisionEnum,
    authScopes: receipt => ({ project: receipt.projectId }),
    select: { checks: inOrder },
    extensions: inSql(row => `coalesce(${decisionInSql(row, 'checks')}, 'unavailable')`),
    description: 'The worst decision of its compliance checks; `UNAVAILABLE` while no check was made.',
    resolve: ({ checks }) => decisionOf(checks),
  }),
)

builder.prismaObjectField('Receipt', 'complianceChecks', t =>
  t.field({
    type: [CheckType],
    authScopes: receipt => ({ project: receipt.projectId }),
    select: { checks: inOrder },
    extensions: { listSize: { assumedSize: 2 }, ...asRelation('checks') },
    description: 'Its compliance checks, one of each type.',
    resolve: ({ checks }) => checks,
  }),
)
