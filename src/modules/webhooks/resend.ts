// The GraphQL mutations that send a test event, or replay deliveries and events.
import { mutation, performs } from '../../kit/mutation.ts'
import { testEndpoint } from './enable-disable.ts'
import { replayDelivery, replayEvents } from './replay.ts'
import { DeliveryType } from './type.ts'

mutation('testWebhookEndpoint', {
  ...performs(testEndpoint),
  description: 'Sends an event of type `WEBHOOK_TEST` to an endpoint, also while it is disabled.',
  takes: 'An endpoint to test.',
  errors: ['not_found'],
  extensions: { cost: 20 },
  payload: t => ({
    webhookDelivery: t.prismaField({
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

mutation('replayWebhookDelivery', {
  ...performs(replayDelivery),
  description:
    'Sends a delivery again, immediately and with the same `webhook-id`; its retry plan starts from the beginning.',
  takes: 'A delivery to send again.',
  errors: ['not_found', 'conflict'],
  payload: t => ({
    webhookDelivery: t.prismaField({
      type: DeliveryType,
      description: 'The delivery.',
      resolve: (query, { id }, _, { db }) => db.webhookDelivery.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
})

mutation('replayWebhookEvents', {
  ...performs(replayEvents),
  description:
    'Sends the events after a given event to an endpoint again, at most 1,000 per call, also events from before the endpoint was created or while it was disabled.',
  takes: 'Events to send again.',
  errors: ['not_found', 'conflict', 'validation_failed'],
  extensions: { cost: 200 },
  payload: t => ({
    count: t.exposeInt('count', { description: 'Number of deliveries that are sent again.' }),
    next: t.exposeID('next', {
      nullable: true,
      description: 'The `after` of the next call; null when no events are left.',
    }),
  }),
})
