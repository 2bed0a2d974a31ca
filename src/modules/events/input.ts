// Arguments that the GraphQL fields about events and webhooks share.
import { z } from 'zod'
import { webhookTypes } from '../../core/event-types.ts'
import { webhookTexts } from './texts.ts'

export const resumedAfter = z
  .string()
  .regex(/^\d{1,18}$/, 'Must be the id of an event.')
  .nullish()
  .meta({ graphql: 'ID' })

export const webhookTypesInput = z
  .array(
    z.enum(webhookTypes).meta({
      graphql: 'WebhookEventType',
      description: 'A type of events.',
      values: webhookTexts,
      textInRest: true,
    }),
  )
  .min(1, 'Name at least one type, or leave it out.')
  .transform(types => [...new Set(types)])
  .nullish()
  .describe('Only events of these types; all unless given.')
