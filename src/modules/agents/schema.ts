// The GraphQL queries of agents.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { argumentsOf } from '../../kit/input.ts'
import { nodeType } from '../../kit/node.ts'
import { parse } from '../../kit/parse.ts'
import { FileType } from '../artifacts/file-type.ts'
import { anchorStatuses, anchorsOf, mostEntries, paymentsOf } from './activity.ts'
import { agentById, agentOf, mostAgents, visibleAgents } from './manage.ts'
import { templateOf } from './template.ts'
import { AgentAnchorType, AgentStatsType, AgentType, AnchorStatusEnum, UnifiedActivityType } from './type.ts'

nodeType('Agent', {
  table: 'agents',
  access: 'read',
  read: ({ db, principal }, asked) =>
    db.agent.findMany({ ...asked, where: { ...asked.where, ...visibleAgents(principal) } }),
})

builder.queryField('agents', t =>
  t.prismaField({
    type: [AgentType],
    description:
      'Agents of the caller’s project, newest first; the newest 200 of all projects for a service administrator.',
    access: 'read',
    errors: [],
    extensions: { listSize: { assumedSize: mostAgents, maxSize: mostAgents } },
    resolve: (query, _, __, { db, principal }) =>
      db.agent.findMany({
        ...query,
        where: visibleAgents(principal),
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: mostAgents,
      }),
  }),
)

builder.queryField('agent', t =>
  t.prismaField({
    type: AgentType,
    nullable: true,
    description: 'One agent of the caller’s project; null when there is none.',
    args: argumentsOf(agentById),
    access: 'read',
    input: agentById,
    errors: [],
    resolve: (query, _, args, { db, principal }) =>
      db.agent.findFirst({ ...query, where: { ...parse(agentById, args), ...visibleAgents(principal) } }),
  }),
)

const days = z
  .int()
  .min(1)
  .max(365)
  .nullish()
  .meta({ graphql: 'Int', default: 7 })
  .describe('Number of past days in UTC, today included: 1 to 365.')
const agentId = uuid.describe('The agent’s UUID.')
const spanArguments = z.strictObject({ agentId, days })

const spanOf = async (context: Context, asked: z.output<typeof spanArguments>) => ({
  agent: await agentOf(context, asked.agentId),
  days: asked.days ?? 7,
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

const anchorArguments = z.strictObject({
  agentId,
  days,
  status: z.enum(anchorStatuses).nullish().describe('Only anchors in this status.'),
})

builder.queryField('agentAnchors', t =>
  t.field({
    type: [AgentAnchorType],
    description: `Lists the anchors of an agent of the caller’s project: of hashes that it requested, of receipts that record payments of its wallet, and those that its anchor wallet sent. Newest first, at most ${mostEntries}.`,
    args: argumentsOf(anchorArguments, { status: AnchorStatusEnum }),
    access: 'read',
    input: anchorArguments,
    errors: ['not_found'],
    extensions: { cost: 10, listSize: { assumedSize: mostEntries, maxSize: mostEntries } },
    resolve: async (_, args, context) => {
      const { status, ...asked } = parse(anchorArguments, args)
      return anchorsOf(context, await spanOf(context, asked), status ?? null)
    },
  }),
)

builder.queryField('agentActivity', t =>
  t.field({
    type: UnifiedActivityType,
    description: 'Payments and anchors of an agent of the caller’s project.',
    args: argumentsOf(spanArguments),
    access: 'read',
    input: spanArguments,
    errors: ['not_found'],
    resolve: (_, args, context) => spanOf(context, parse(spanArguments, args)),
  }),
)

builder.queryField('agentTemplate', t =>
  t.field({
    type: FileType,
    description:
      'A small agent as a starting point, in a ZIP that runs as downloaded. The ZIP contains no keys: the agent’s owner adds them.',
    args: argumentsOf(agentById),
    access: 'write',
    input: agentById,
    errors: ['not_found'],
    extensions: { cost: 20 },
    resolve: async (_, args, context) => templateOf(await agentOf(context, parse(agentById, args).id), context),
  }),
)
