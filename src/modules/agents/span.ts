// The days of an agent’s activity that are asked for.
import { z } from 'zod'
import type { Agent } from '../../generated/prisma/client.ts'

export const spanArguments = z.object({
  days: z
    .int()
    .min(1)
    .max(365)
    .nullish()
    .meta({ graphql: 'Int', default: 7 })
    .describe('Number of past days in UTC, today included: 1 to 365.'),
})

export const spanOf = (agent: Agent, args: z.output<typeof spanArguments>) => ({ agent, days: args.days ?? 7 })
