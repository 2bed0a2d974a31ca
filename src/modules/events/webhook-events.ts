// The GraphQL subscription to the content of webhooks.
import { z } from 'zod'
import { webhookTypes } from '../../core/event-types.ts'
import { builder } from '../../kit/builder.ts'
import { argumentsOf, listTypeOf } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { type WebhookBody, webhookBody } from './data.ts'
import { followed, ofProject, streamRefusals } from './followed.ts'
import { webhookTypesInput } from './input.ts'
import { cursorText, occurredText } from './live.ts'

const [webhookTypeRef] = listTypeOf(webhookTypesInput)

const WebhookEventType = builder.objectRef<WebhookBody & { cursor: string }>('WebhookEvent').implement({
  description: 'An event with the content of its webhook.',
  fields: t => ({
    cursor: t.exposeID('cursor', { description: `${cursorText} The \`webhook-id\` is \`evt_\` and this cursor.` }),
    type: t.expose('type', { type: webhookTypeRef, description: 'What happened.' }),
    occurredAt: t.field({
      type: 'DateTime',
      description: occurredText,
      resolve: ({ timestamp }) => new Date(timestamp),
    }),
    data: t.expose('data', { type: 'JSONObject', description: 'Event data with the REST API’s member names.' }),
  }),
})

const webhookEventsArguments = z.strictObject({ ...ofProject, types: webhookTypesInput })

builder.subscriptionField('webhookEvents', t =>
  t.field({
    type: WebhookEventType,
    description:
      'The events of the caller’s project with the content of their webhooks, from now on or since the event `after`, for programs that webhooks cannot reach.',
    args: argumentsOf(webhookEventsArguments),
    access: 'read',
    input: webhookEventsArguments,
    errors: streamRefusals,
    subscribe: (_, args, context) => {
      const { types, ...from } = parse(webhookEventsArguments, args)
      const requested: readonly string[] = types ?? webhookTypes
      return followed(context, from, events =>
        events.flatMap(event => {
          const body = requested.includes(event.type) ? webhookBody(event, context.publicBaseUrl) : null
          return body === null ? [] : { cursor: event.id, ...body }
        }),
      )
    },
    resolve: event => event,
  }),
)
