// The GraphQL mutations that send a test event, or replay deliveries and events.
import { builder } from '../../kit/builder.ts'
import { inputType } from '../../kit/input.ts'
import { declarationOf, runVerb } from '../../kit/verb.ts'
import { testEndpoint } from './enable-disable.ts'
import { type Replayed, replayDelivery, replayDeliveryInput, replayEvents, replayEventsInput } from './replay.ts'
import { ByIdInput, DeliveryType } from './type.ts'

const TestedType = builder.objectRef<{ endpointId: string }>('TestedWebhookEndpoint').implement({
  description: 'An endpoint to which a test event is sent.',
  fields: t => ({
    delivery: t.prismaField({
      type: DeliveryType,
      description: 'The delivery of the test event; read it again later for its outcome.',
      resolve: (query, { endpointId }, _, { db }) =>
        db.webhookDelivery.findFirstOrThrow({
          ...query,
          where: { endpointId, event: { type: 'webhook.test' } },
          orderBy: { id: 'desc' },
        }),
    }),
  }),
})

builder.mutationField('testWebhookEndpoint', t =>
  t.field({
    type: TestedType,
    description: 'Sends an event of type `webhook.test` to an endpoint, also while it is disabled.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    ...declarationOf(testEndpoint),
    errors: ['not_found'],
    extensions: { cost: 20 },
    resolve: async (_, { input }, context) => ({ endpointId: await runVerb(context, testEndpoint, input) }),
  }),
)

const ReplayInput = inputType('ReplayWebhookDeliveryInput', 'A delivery to send again.', replayDeliveryInput)

builder.mutationField('replayWebhookDelivery', t =>
  t.prismaField({
    type: DeliveryType,
    description:
      'Sends a delivery again, immediately and with the same `webhook-id`; its retry plan starts from the beginning.',
    args: { input: t.arg({ type: ReplayInput, required: true }) },
    ...declarationOf(replayDelivery),
    errors: ['not_found', 'conflict'],
    resolve: async (query, _, { input }, context) => {
      const id = await runVerb(context, replayDelivery, input)
      return context.db.webhookDelivery.findUniqueOrThrow({ ...query, where: { id } })
    },
  }),
)

const ReplayEventsInput = inputType('ReplayWebhookEventsInput', 'Events to send again.', replayEventsInput)
const ReplayedType = builder.objectRef<Replayed>('ReplayedWebhookEvents').implement({
  description: 'The deliveries that are sent again.',
  fields: t => ({
    count: t.exposeInt('count', { description: 'Number of deliveries that are sent again.' }),
    next: t.exposeID('next', {
      nullable: true,
      description: 'The `after` of the next call; null when no events are left.',
    }),
  }),
})

builder.mutationField('replayWebhookEvents', t =>
  t.field({
    type: ReplayedType,
    description:
      'Sends the events after a given event to an endpoint again, at most 1,000 per call, also events from before the endpoint was created or while it was disabled.',
    args: { input: t.arg({ type: ReplayEventsInput, required: true }) },
    ...declarationOf(replayEvents),
    errors: ['not_found', 'conflict', 'validation_failed'],
    extensions: { cost: 200 },
    resolve: (_, { input }, context) => runVerb(context, replayEvents, input),
  }),
)
