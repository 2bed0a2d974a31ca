// The GraphQL types of webhooks.

import { enumNameOf } from '../../core/event-types.ts'
import type { Project } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { connectionSize } from '../../kit/field-cost.ts'
import { inputType, listTypeOf } from '../../kit/input.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { webhookTypesInput } from '../events/input.ts'
import { endpointById } from './endpoints.ts'
import { liveSecrets, type SecretOwner, secretOf } from './secrets.ts'

export const deliveryStates = ['waiting', 'delivered', 'failed', 'gone', 'cancelled'] as const

export const DeliveryStateEnum = builder.enumType('WebhookDeliveryState', {
  description:
    'waiting: it is tried, or tried again · delivered · failed: every attempt of the plan failed · gone: the receiver answered 410 · cancelled: the endpoint was disabled or deleted before.',
  values: deliveryStates,
})

builder.prismaObject('WebhookAttempt', {
  description: 'One request to a receiver.',
  fields: t => ({
    number: t.exposeInt('number', { description: 'From 1.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it was begun.' }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description: 'Milliseconds until it ended. Null while it is under way, and when its worker was gone before.',
    }),
    statusCode: t.exposeInt('statusCode', { nullable: true, description: 'Of the answer; null when there was none.' }),
    error: t.exposeString('error', {
      nullable: true,
      description:
        'Why there was no answer: timeout, no_public_address, connection_refused, connection_reset, certificate, interrupted, no_secret or no_answer. `no_public_address` also stands for a name that does not exist.',
    }),
    answerStart: t.exposeString('answerStart', {
      nullable: true,
      description: 'The first 1,024 bytes of the answer’s body as text.',
    }),
  }),
})

export const DeliveryType = builder.prismaObject('WebhookDelivery', {
  description: 'One event on its way to one receiver. Kept for 30 days, unless the service is set up otherwise.',
  fields: t => ({
    id: t.exposeID('id', { description: 'A decimal number that increases with every delivery of the service.' }),
    webhookId: t.string({
      description: 'The header `webhook-id`: the same however often the event is sent.',
      resolve: ({ eventId }) => `evt_${eventId}`,
    }),
    type: t.string({
      description: 'What happened, for instance `receipt.anchored`.',
      select: { event: { select: { type: true } } },
      resolve: ({ event }) => event.type,
    }),
    state: t.expose('state', { type: DeliveryStateEnum, description: 'Where it is.' }),
    endpoint: t.relation('endpoint', {
      nullable: true,
      description: 'Where it goes; null when it goes to the `callback_url` of the receipt.',
    }),
    callbackUrl: t.exposeString('url', {
      nullable: true,
      description: 'The `callback_url` that it goes to; null when it goes to an endpoint.',
    }),
    receiptId: t.exposeID('receiptId', { nullable: true, description: 'The receipt that the event is about, if any.' }),
    attemptCount: t.exposeInt('attempts', {
      description: 'Attempts that were begun since it was created, or since it was last replayed.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it is tried next, at the earliest; while an attempt is under way, when another may begin. Null once it is over.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was over. Null until then.',
    }),
    attempts: t.relation('log', {
      description: 'The newest 50 attempts, the newest first.',
      query: { orderBy: { number: 'desc' }, take: 50 },
      extensions: { listSize: { assumedSize: 10, maxSize: 50 } },
    }),
  }),
})

export const EndpointType = builder.prismaObject('WebhookEndpoint', {
  description: 'An address to which events of a project are POSTed, signed as Standard Webhooks says.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    projectId: t.exposeID('projectId', { description: 'The project whose events are sent to it.' }),
    url: t.exposeString('url', { description: 'Where events are POSTed.' }),
    description: t.exposeString('description', { description: 'What its owner calls it; may be empty.' }),
    eventTypes: t.field({
      type: listTypeOf(webhookTypesInput),
      description: 'The types of events that are sent to it.',
      resolve: ({ eventTypes }) => eventTypes.map(enumNameOf),
    }),
    isEnabled: t.boolean({
      description: 'Whether events are sent to it.',
      resolve: ({ disabledAt }) => disabledAt === null,
    }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true, description: 'Null while it is enabled.' }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description:
        'asked: by a key of the project · gone: it answered 410 · failing: it failed for five days. Null while it is enabled.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'The first attempt that failed since the last that succeeded; after five days it is disabled. Null while it takes what is sent.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    secret: t.string({
      nullable: true,
      authScopes: { access: 'manage' },
      extensions: { cost: 2 },
      description:
        'The present secret, `whsec_` and base64. Needs a project_admin key. Null when the service has lost the key that made it.',
      resolve: ({ id, projectId }, _, context) => presentSecret(context, { projectId, endpointId: id }),
    }),
    deliveries: t.relatedConnection(
      'deliveries',
      {
        cursor: 'id',
        maxSize: 100,
        defaultSize: 20,
        description: 'Deliveries to it, newest first.',
        query: { orderBy: { id: 'desc' } },
        extensions: { listSize: connectionSize(20, 100) },
      },
      { name: 'WebhookEndpointDeliveriesConnection' },
      { name: 'WebhookEndpointDeliveriesEdge' },
    ),
  }),
})

export const presentSecret = async (context: Context, owner: SecretOwner): Promise<string | null> => {
  const [present] = await liveSecrets(sqlOf(context.pool), context, owner)
  return present ? secretOf(context, present) : null
}

builder.prismaObjectField('Project', 'callbackSecret', t =>
  t.string({
    nullable: true,
    authScopes: { access: 'manage' },
    // It may have to be made.
    extensions: { cost: 10 },
    description:
      'The present secret that signs what is sent to the `callback_url` of its receipts, `whsec_` and base64; it is made when it is first needed. Needs a project_admin key. Null when the service has lost the key that made it.',
    resolve: ({ id }: Pick<Project, 'id'>, _, context) => presentSecret(context, { projectId: id, endpointId: null }),
  }),
)

builder.prismaObjectField('Project', 'webhookEndpoints', t =>
  t.relation('webhookEndpoints', {
    authScopes: { access: 'read' },
    query: { where: { deletedAt: null }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
    extensions: { listSize: { assumedSize: 16, maxSize: 16 } },
    description: 'The addresses to which its events are sent, newest first.',
  }),
)

export const ByIdInput = inputType('WebhookEndpointInput', 'An endpoint.', endpointById)
