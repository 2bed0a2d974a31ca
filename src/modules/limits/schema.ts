// GraphQL: what an operation costs its caller, and how much the caller has left.
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { totalOf } from '../../kit/operation-cost.ts'

type RateLimit = { cost: number; remaining: number; resetAt: Date }

const RateLimitType = builder.objectRef<RateLimit>('RateLimit').implement({
  description: 'What the operation costs of the caller’s rate limit.',
  fields: t => ({
    cost: t.exposeInt('cost', {
      description:
        'The cost of this operation, which follows from its document and variables by `@cost` and `@listSize`. Rows that are charged while it runs are not part of it.',
    }),
    remaining: t.exposeInt('remaining', {
      description:
        'What is left for operations like this one until `resetAt`, of the scarcer of the limits of the credential and its project, or of the address. Reads may use only a part of each limit.',
    }),
    resetAt: t.expose('resetAt', { type: 'DateTime', description: 'When the limits are full again.' }),
  }),
})

function rateLimitOf({ allowance, costs }: Context): RateLimit | null {
  const left = allowance.left()
  return left && { cost: totalOf(costs), remaining: left.remaining, resetAt: left.resetAt }
}

builder.queryField('rateLimit', t =>
  t.field({
    type: RateLimitType,
    nullable: true,
    description:
      'What this operation costs, and what the caller has left; null for a service administrator, who is not limited. `{"extensions": {"dryRun": true}}` in a request returns its cost and runs nothing.',
    access: 'public',
    errors: [],
    resolve: (_, __, context) => rateLimitOf(context),
  }),
)
