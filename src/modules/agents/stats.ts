// The payments of an agent, with their number and sum.
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { PaymentConnection } from '../payments/list.ts'
import { PaymentType } from '../payments/type.ts'
import { paymentsOf, type Span } from './activity.ts'
import { spanArguments, spanOf } from './span.ts'
import { AgentType } from './type.ts'

const maxSize = 200

const AgentStatsType = builder
  .objectRef<Span & { paymentCount: number; totalSpent: string | Prisma.Decimal }>('AgentStats')
  .implement({
    description: 'Payments of an agent’s wallet to this service for its project, in the present payment token.',
    fields: t => ({
      agent: t.field({ type: AgentType, description: 'The agent.', resolve: ({ agent }) => agent }),
      days: t.exposeInt('days', { description: 'How many days in UTC, today included.' }),
      paymentCount: t.exposeInt('paymentCount', { description: 'Number of settled payments.' }),
      totalSpent: t.expose('totalSpent', { type: 'Decimal', description: 'Sum of the payments, in token units.' }),
      payments: t.prismaConnection(
        {
          type: PaymentType,
          cursor: 'id',
          maxSize,
          defaultSize: 20,
          totalCount: ({ paymentCount }) => paymentCount,
          description: `The payments, newest first, at most ${maxSize} a page.`,
          extensions: { listSize: connectionSize(20, maxSize) },
          resolve: (query, span, _, context) =>
            context.db.payment.findMany({
              ...query,
              where: paymentsOf(span, context),
              orderBy: [{ verifiedAt: 'desc' }, { id: 'desc' }],
            }),
        },
        PaymentConnection,
      ),
    }),
  })

builder.queryField('agentStats', t =>
  t.field({
    type: AgentStatsType,
    description: 'Payments to this service by an agent of the caller’s project.',
    args: argumentsOf(spanArguments),
    access: 'read',
    input: spanArguments,
    errors: ['not_found'],
    extensions: { cost: 10 },
    resolve: async (_, args, context) => {
      const span = await spanOf(context, parse(spanArguments, args))
      const { _count: paymentCount, _sum } = await context.db.payment.aggregate({
        where: paymentsOf(span, context),
        _count: true,
        _sum: { amount: true },
      })
      return { ...span, paymentCount, totalSpent: _sum.amount ?? '0' }
    },
  }),
)
