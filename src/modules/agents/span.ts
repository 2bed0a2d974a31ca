// An agent and the days of its activity that are asked for.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import type { Context } from '../../kit/context.ts'
import { agentOf } from './manage.ts'

export const spanArguments = z.object({
  agentId: uuid.describe('The agent’s UUID.'),
  days: z
    .int()
    .min(1)
    .max(365)
    .nullish()
    .meta({ graphql: 'Int', default: 7 })
    .describe('Number of past days in UTC, today included: 1 to 365.'),
})

/** Throws `not_found`. */
export const spanOf = async (context: Context, args: z.output<typeof spanArguments>) => ({
  agent: await agentOf(context, args.agentId),
  days: args.days ?? 7,
})
