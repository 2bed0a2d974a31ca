// What GraphQL shows of webhooks, and does with them.
import { z } from 'zod'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { argumentsOf, inputType } from '../../kit/input.ts'
import { parse } from '../../kit/parse.ts'
import { declarationOf, perform } from '../../kit/verb.ts'
import {
  createEndpoint,
  createEndpointInput,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  endpointById,
  mostEndpoints,
  rotateCallbackSecret,
  rotateCallbackSecretInput,
  rotateSecret,
  rotateSecretInput,
  testEndpoint,
  updateEndpoint,
  updateEndpointInput,
  visibleEndpoints,
} from './endpoints.ts'
import {
  type Replayed,
  replayDelivery,
  replayDeliveryInput,
  replayEvents,
  replayEventsInput,
  visibleDeliveries,
} from './replay.ts'
import { DeliveryStateEnum, DeliveryType, deliveryStates, EndpointType, presentSecret } from './type.ts'

builder.queryField('webhookEndpoints', t =>
  t.prismaField({
    type: [EndpointType],
    description:
      'The addresses to which events of the own project are sent, newest first; the newest 200 of all projects for a service administrator. Errors: unauthenticated.',
    authScopes: { access: 'read' },
    extensions: { access: 'read', listSize: { assumedSize: mostEndpoints, maxSize: 200 } },
    resolve: (query, _, __, { db, principal }) =>
      db.webhookEndpoint.findMany({
        ...query,
        where: visibleEndpoints(principal),
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: 200,
      }),
  }),
)

builder.queryField('webhookEndpoint', t =>
  t.prismaField({
    type: EndpointType,
    nullable: true,
    description: 'One endpoint of the own project; null when there is no such one. Errors: unauthenticated.',
    authScopes: { access: 'read' },
    args: argumentsOf(endpointById),
    extensions: { access: 'read', input: endpointById },
    resolve: (query, _, args, { db, principal }) =>
      db.webhookEndpoint.findFirst({
        ...query,
        where: { id: parse(endpointById, args).id, ...visibleEndpoints(principal) },
      }),
  }),
)

const deliveryFilter = z.object({
  receiptId: uuid.nullish().describe('Only deliveries of events about this receipt.'),
  endpointId: uuid.nullish().describe('Only deliveries to this endpoint.'),
  state: z.enum(deliveryStates).nullish().describe('Only deliveries in this state.'),
})

builder.queryField('webhookDeliveries', t =>
  t.prismaConnection(
    {
      type: DeliveryType,
      cursor: 'id',
      maxSize: 100,
      defaultSize: 20,
      description:
        'Deliveries of the own project’s events, newest first, also those to the `callback_url` of receipts; all for a service administrator. Errors: unauthenticated.',
      authScopes: { access: 'read' },
      args: argumentsOf(deliveryFilter, { state: DeliveryStateEnum }),
      extensions: { access: 'read', input: deliveryFilter, listSize: connectionSize(20, 100) },
      resolve: (query, _, args, { db, principal }) => {
        const { receiptId, endpointId, state } = parse(deliveryFilter, args)
        return db.webhookDelivery.findMany({
          ...query,
          where: {
            ...visibleDeliveries(principal),
            ...(receiptId && { receiptId }),
            ...(endpointId && { endpointId }),
            ...(state && { state }),
          },
          orderBy: { id: 'desc' },
        })
      },
    },
    { name: 'WebhookDeliveryConnection' },
    { name: 'WebhookDeliveryEdge' },
  ),
)

const CreateInput = inputType('CreateWebhookEndpointInput', 'An address for events.', createEndpointInput)
const UpdateInput = inputType('UpdateWebhookEndpointInput', 'What is to change of an endpoint.', updateEndpointInput)
const ByIdInput = inputType('WebhookEndpointInput', 'An endpoint.', endpointById)
const RotateInput = inputType('RotateWebhookSecretInput', 'An endpoint that gets a new secret.', rotateSecretInput)

builder.mutationField('createWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Adds an address to which events of the own project are POSTed; a project has at most 16. Its `secret` checks their signatures. Errors: unauthenticated, forbidden, not_found, project_key_required, too_many_webhook_endpoints, validation_failed.',
    args: { input: t.arg({ type: CreateInput, required: true }) },
    extensions: declarationOf(createEndpoint),
    resolve: (_, { input }, context) => perform(context, createEndpoint, input),
  }),
)

builder.mutationField('updateWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Changes an endpoint. Members that are absent or null stay as they are. Deliveries that wait go to the new address. Errors: unauthenticated, forbidden, not_found, validation_failed.',
    args: { input: t.arg({ type: UpdateInput, required: true }) },
    extensions: declarationOf(updateEndpoint),
    resolve: (_, { input }, context) => perform(context, updateEndpoint, input),
  }),
)

builder.mutationField('enableWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Sends events to an endpoint again, from now on; `replayWebhookEvents` sends those from before. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: declarationOf(enableEndpoint),
    resolve: (_, { input }, context) => perform(context, enableEndpoint, input),
  }),
)

builder.mutationField('disableWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description:
      'Sends nothing to an endpoint any more; what waits is cancelled. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: { ...declarationOf(disableEndpoint), cost: 20 },
    resolve: (_, { input }, context) => perform(context, disableEndpoint, input),
  }),
)

builder.mutationField('deleteWebhookEndpoint', t =>
  t.field({
    type: EndpointType,
    description: 'Deletes an endpoint; what waits is cancelled. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: { ...declarationOf(deleteEndpoint), cost: 20 },
    resolve: (_, { input }, context) => perform(context, deleteEndpoint, input),
  }),
)

builder.mutationField('rotateWebhookSecret', t =>
  t.field({
    type: EndpointType,
    description:
      'Gives an endpoint a new secret. The present one signs beside it for `overlapHours`. Errors: unauthenticated, forbidden, not_found, validation_failed.',
    args: { input: t.arg({ type: RotateInput, required: true }) },
    extensions: declarationOf(rotateSecret),
    resolve: (_, { input }, context) => perform(context, rotateSecret, input),
  }),
)

const RotateCallbackInput = inputType(
  'RotateCallbackSecretInput',
  'A project that gets a new secret for callbacks.',
  rotateCallbackSecretInput,
)
const CallbackSecretType = builder.objectRef<{ id: string }>('CallbackSecret').implement({
  description: 'What signs the deliveries to the `callback_url` of a project’s receipts.',
  fields: t => ({
    projectId: t.exposeID('id', { description: 'The project.' }),
    secret: t.string({
      nullable: true,
      description: 'The present secret, `whsec_` and base64. Null when the service has lost the key that made it.',
      resolve: ({ id }, _, context) => presentSecret(context, { projectId: id, endpointId: null }),
    }),
  }),
})

builder.mutationField('rotateCallbackSecret', t =>
  t.field({
    type: CallbackSecretType,
    description:
      'Gives the own project a new secret for what is sent to the `callback_url` of receipts. The present one signs beside it for `overlapHours`. Errors: unauthenticated, forbidden, not_found, project_key_required, validation_failed.',
    args: { input: t.arg({ type: RotateCallbackInput, required: true }) },
    extensions: declarationOf(rotateCallbackSecret),
    resolve: (_, { input }, context) => perform(context, rotateCallbackSecret, input),
  }),
)

const TestedType = builder.objectRef<{ endpointId: string }>('TestedWebhookEndpoint').implement({
  description: 'An endpoint to which a test is sent.',
  fields: t => ({
    delivery: t.prismaField({
      type: DeliveryType,
      description: 'The delivery; read it again to see what became of it.',
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
    description:
      'Sends an event of type `webhook.test` to an endpoint, also while it is disabled. Errors: unauthenticated, forbidden, not_found.',
    args: { input: t.arg({ type: ByIdInput, required: true }) },
    extensions: declarationOf(testEndpoint),
    resolve: async (_, { input }, context) => ({ endpointId: await perform(context, testEndpoint, input) }),
  }),
)

const ReplayInput = inputType('ReplayWebhookDeliveryInput', 'A delivery to send again.', replayDeliveryInput)

builder.mutationField('replayWebhookDelivery', t =>
  t.prismaField({
    type: DeliveryType,
    description:
      'Sends a delivery again, at once and with the same `webhook-id`; its plan of attempts begins anew. Errors: unauthenticated, forbidden, not_found, conflict.',
    args: { input: t.arg({ type: ReplayInput, required: true }) },
    extensions: declarationOf(replayDelivery),
    resolve: async (query, _, { input }, context) => {
      const id = await perform(context, replayDelivery, input)
      return context.db.webhookDelivery.findUniqueOrThrow({ ...query, where: { id } })
    },
  }),
)

const ReplayEventsInput = inputType('ReplayWebhookEventsInput', 'Events to send again.', replayEventsInput)
const ReplayedType = builder.objectRef<Replayed>('ReplayedWebhookEvents').implement({
  description: 'What is sent again.',
  fields: t => ({
    count: t.exposeInt('count', { description: 'How many deliveries there are of it.' }),
    next: t.exposeID('next', {
      nullable: true,
      description: 'The `after` of the next call; null when there is no more to send.',
    }),
  }),
})

builder.mutationField('replayWebhookEvents', t =>
  t.field({
    type: ReplayedType,
    description:
      'Sends the events after one that is named to an endpoint again, at most 1,000 at once: also those from before it was created, or while it was disabled. Errors: unauthenticated, forbidden, not_found, conflict, validation_failed.',
    args: { input: t.arg({ type: ReplayEventsInput, required: true }) },
    extensions: { ...declarationOf(replayEvents), cost: 200 },
    resolve: (_, { input }, context) => perform(context, replayEvents, input),
  }),
)
