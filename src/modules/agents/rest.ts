// The activity of an agent as root fields, whose arguments and errors the REST API has.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { restOnly } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { agentAnchorStatuses } from './activity.ts'
import { anchorsOf, anchorsSize, whichAnchors } from './anchors.ts'
import { agentOf } from './manage.ts'
import { AgentAnchorConnection, AgentAnchorStatusEnum, AgentAnchorType, UnifiedActivityType } from './rest-types.ts'
import { spanArguments, spanOf } from './span.ts'
import { AgentStatsType, statsOf } from './stats.ts'
import { AgentType } from './type.ts'

const agentId = uuid.describe('The agent’s UUID.')
const ofAgent = z.object({ agentId, ...spanArguments.shape })
const anchorsOfAgent = z.object({
  ...ofAgent.shape,
  status: z.enum(agentAnchorStatuses).nullish().describe('Only anchors in this status.'),
})

const usual = { access: 'read', errors: ['not_found'] } as const

builder.queryField('agentActivity', t =>
  t.field({
    ...usual,
    type: UnifiedActivityType,
    description: 'Payments and anchors of an agent of the caller’s project.',
    args: argumentsOf(ofAgent),
    input: ofAgent,
    extensions: restOnly,
    resolve: async (_, args, context) => {
      const { agentId, ...days } = parse(ofAgent, args)
      return spanOf(await agentOf(context, agentId), days)
    },
  }),
)

builder.queryField('agentStats', t =>
  t.field({
    ...usual,
    type: AgentStatsType,
    description: 'Payments to this service by an agent of the caller’s project.',
    args: argumentsOf(ofAgent),
    input: ofAgent,
    extensions: { cost: 10, ...restOnly },
    resolve: async (_, args, context) => {
      const { agentId, ...days } = parse(ofAgent, args)
      return statsOf(context, spanOf(await agentOf(context, agentId), days))
    },
  }),
)

builder.objectField(AgentStatsType, 'agent', t =>
  t.field({ type: AgentType, description: 'The agent.', extensions: restOnly, resolve: ({ agent }) => agent }),
)

builder.objectField(UnifiedActivityType, 'agent', t =>
  t.field({ type: AgentType, description: 'The agent.', extensions: restOnly, resolve: ({ agent }) => agent }),
)

builder.queryField('agentAnchors', t =>
  t.connection(
    {
      ...usual,
      type: AgentAnchorType,
      description: `The anchors of an agent of the caller’s project: ${whichAnchors}`,
      args: argumentsOf(anchorsOfAgent, { status: AgentAnchorStatusEnum }),
      input: anchorsOfAgent,
      extensions: { ...anchorsSize, ...restOnly },
      resolve: async (_, args, context, info) => {
        const { agentId, ...rest } = parse(anchorsOfAgent, args)
        return anchorsOf(await agentOf(context, agentId), rest, { args, context, info, typeName: 'AgentAnchor' })
      },
    },
    AgentAnchorConnection,
  ),
)
