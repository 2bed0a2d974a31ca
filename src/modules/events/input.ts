// Arguments that the GraphQL fields about events and webhooks share.
import { z } from 'zod'
import { enumNameOf, webhookTypes } from '../../core/event-types.ts'

export const resumedAfter = z
  .string()
  .regex(/^\d{1,18}$/, 'Must be the id of an event.')
  .nullish()
  .meta({ graphql: 'ID' })

const names = webhookTypes.map(enumNameOf)
const typeOf = (name: string) => webhookTypes[names.indexOf(name)]

export const webhookTypesInput = z
  .array(
    z.enum(names).meta({
      graphql: 'WebhookEventType',
      description: 'A type of events: `receipt_anchored` is `receipt.anchored`.',
    }),
  )
  .min(1, 'Name at least one type, or leave it out.')
  .transform(given => [...new Set(given)].flatMap(name => typeOf(name) ?? []))
  .nullish()
  .describe('Only events of these types; all unless given.')
