// The activity of an agent as root fields, whose arguments and errors the REST API has.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { restOnly } from '../../kit/enum-names.ts'
import { argumentsOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { AgentAnchorConnection, anchorArguments, anchorsField } from './anchors.ts'
import { agentOf } from './manage.ts'
import { spanArguments, spanOf } from './span.ts'
import { AgentStatsType, statsOf } from './stats.ts'
import { AgentType, AnchorStatusEnum, UnifiedActivityType } from './type.ts'

const agentId = uuid.describe('The agent’s UUID.')
const ofAgent = z.object({ agentId, ...spanArguments.shape })
const anchorsOfAgent = z.object({ agentId, ...anchorArguments.shape })

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
      type: anchorsField.type,
      description: `The anchors of an agent of the caller’s project: ${anchorsField.description}`,
      args: argumentsOf(anchorsOfAgent, { status: AnchorStatusEnum }),
      input: anchorsOfAgent,
      extensions: { ...anchorsField.extensions, ...restOnly },
      resolve: async (_, args, context, info) => {
        const { agentId, ...rest } = parse(anchorsOfAgent, args)
        return anchorsField.read(await agentOf(context, agentId), rest, { args, context, info })
      },
    },
    AgentAnchorConnection,
  ),
)
