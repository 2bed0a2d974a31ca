// The payments of an agent, with their number and sum.
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { connectionSize, countedPerUnit } from '../../kit/field-cost.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { PaymentConnection } from '../payments/list.ts'
import { PaymentType } from '../payments/type.ts'
import { countAnchors, paymentsOf, type Span } from './activity.ts'
import { spanArguments, spanOf } from './span.ts'

const maxSize = 200

export const AgentStatsType = builder
  .objectRef<Span & { paymentCount: number; totalSpent: string | Prisma.Decimal }>('AgentStats')
  .implement({
    description: 'Payments of an agent’s wallet to this service for its project, in the present payment token.',
    fields: t => ({
      days: t.exposeInt('days', { description: 'How many days in UTC, today included.' }),
      paymentCount: t.exposeInt('paymentCount', { description: 'Number of settled payments.' }),
      totalSpent: t.expose('totalSpent', { type: 'Decimal', description: 'Sum of the payments, in token units.' }),
      anchorCount: t.int({
        description: 'Number of the agent’s anchors.',
        extensions: { cost: 10 },
        resolve: (span, _, context) => countAnchors(context, span, {}),
      }),
      anchoredPaymentCount: t.int({
        description: 'Number of the payments whose receipt is anchored.',
        extensions: { cost: 10 },
        resolve: (span, _, context) =>
          context.db.payment.count({ where: { ...paymentsOf(span, context), receipt: { status: 'anchored' } } }),
      }),
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

export async function statsOf(context: Context, span: Span) {
  const { _count: paymentCount, _sum } = await context.db.payment.aggregate({
    where: paymentsOf(span, context),
    _count: true,
    _sum: { amount: true },
  })
  context.allowance.spend(Math.floor(paymentCount / countedPerUnit))
  return { ...span, paymentCount, totalSpent: _sum.amount ?? '0' }
}

builder.prismaObjectField('Agent', 'stats', t =>
  t.field({
    type: AgentStatsType,
    description: 'Payments of the agent to this service in the last days.',
    args: argumentsOf(spanArguments),
    extensions: { cost: 10 },
    resolve: (agent, args, context) => statsOf(context, spanOf(agent, parse(spanArguments, args))),
  }),
)
