// The GraphQL query for a receipt's compliance report, for the receipt's project and administrators only.
import { z } from 'zod'
import { ownedBy } from '../../core/principal.ts'
import { uuid } from '../../core/text.ts'
import type { ComplianceCheck } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { CheckType, DecisionEnum, decisionOf, inOrder } from './report.ts'

const ReportType = builder.objectRef<{ receiptId: string; checks: ComplianceCheck[] }>('ComplianceReport').implement({
  description: 'All checks of a receipt and their overall decision.',
  fields: t => ({
    receiptId: t.exposeID('receiptId', { description: 'The receipt’s UUID.' }),
    decision: t.field({
      type: DecisionEnum,
      description: 'The worst decision of the checks; `unavailable` while no check was made.',
      resolve: ({ checks }) => decisionOf(checks),
    }),
    checks: t.expose('checks', { type: [CheckType], description: 'One check of each type.' }),
  }),
})

const reportArguments = z.strictObject({ receiptId: uuid.describe('The receipt’s UUID.') })

builder.queryField('complianceReport', t =>
  t.field({
    type: ReportType,
    nullable: true,
    description: 'The compliance checks of a receipt of the caller’s project; null when there is no such receipt.',
    args: argumentsOf(reportArguments),
    access: 'read',
    input: reportArguments,
    errors: [],
    resolve: async (_, args, { db, principal }) => {
      const { receiptId } = parse(reportArguments, args)
      const receipt = await db.receipt.findFirst({
        where: { id: receiptId, ...ownedBy(principal) },
        select: { checks: inOrder },
      })
      return receipt && { receiptId, checks: receipt.checks }
    },
  }),
)
