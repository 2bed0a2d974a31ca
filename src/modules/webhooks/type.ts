// The GraphQL types of webhooks.
import { z } from 'zod'
import { testType } from '../../core/event-types.ts'
import { demandNoSession } from '../../core/principal.ts'
import type { Project } from '../../generated/prisma/client.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import { enumOf, listTypeOf } from '../../kit/input.ts'
import { Node } from '../../kit/node.ts'
import { asRelation, inSql } from '../../kit/sql/index.ts'
import { sqlOf } from '../../kit/transaction.ts'
import type { PostFailure } from '../../ports/public-post.ts'
import { webhookTypesInput } from '../events/input.ts'
import { webhookTexts } from '../events/texts.ts'
import { ReceiptType } from '../receipts/type.ts'
import { liveSecrets, type SecretOwner, secretOf } from './secrets.ts'

const attemptErrors: Record<PostFailure | 'interrupted' | 'no_secret', string> = {
  timeout: 'No response in time.',
  no_public_address: 'The host name does not exist, or its address is not public.',
  connection_refused: 'The connection was refused.',
  connection_reset: 'The connection was reset.',
  certificate: 'The certificate is not valid.',
  cancelled: 'The attempt was cancelled.',
  no_answer: 'The connection failed otherwise.',
  interrupted: 'The process that made the attempt died.',
  no_secret: 'The service no longer has the key that made the secret.',
}

export const deliveryStatus = z.enum(['waiting', 'delivered', 'failed', 'gone', 'cancelled']).meta({
  graphql: 'WebhookDeliveryStatus',
  description: 'Status of a delivery.',
  values: {
    waiting: 'An attempt is due, in progress or scheduled.',
    delivered: 'The receiver accepted it.',
    failed: 'Every attempt of the plan failed.',
    gone: 'The receiver responded with 410.',
    cancelled: 'Not sent any more, for example after the endpoint was disabled or deleted.',
  },
})
const DeliveryStatusEnum = enumOf(deliveryStatus)

const DeliveredTypeEnum = builder.enumType('WebhookDeliveryEventType', {
  description: 'A type of events, or the test event of one endpoint.',
  extensions: textInRest,
  values: described<string>({ ...webhookTexts, [testType]: 'The test event of one endpoint.' }),
})

const AttemptErrorEnum = builder.enumType('WebhookAttemptError', {
  description: 'Why there was no response.',
  extensions: textInRest,
  values: described<string>(attemptErrors),
})

const DisabledReasonEnum = builder.enumType('WebhookEndpointDisabledReason', {
  description: 'Why an endpoint is disabled.',
  extensions: textInRest,
  values: described<string>({
    asked: 'On request.',
    gone: 'The endpoint responded with 410.',
    failing: 'The endpoint failed for five days.',
  }),
})

builder.prismaObject('WebhookAttempt', {
  description: 'One attempt to send a delivery to its receiver.',
  fields: t => ({
    number: t.exposeInt('number', { description: 'Number of the attempt, from 1.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the attempt began.' }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description:
        'Milliseconds until the attempt ended. Null while it is in progress, and when its worker died before the end.',
    }),
    statusCode: t.exposeInt('statusCode', { nullable: true, description: 'HTTP status; null without a response.' }),
    error: t.expose('error', {
      type: AttemptErrorEnum,
      nullable: true,
      description: 'Why there was no response; null with one, and while the attempt is in progress.',
    }),
    answerStart: t.exposeString('answerStart', {
      nullable: true,
      description: 'The first 1,024 bytes of the response body as text.',
    }),
  }),
})

export const DeliveryType = builder.prismaObject('WebhookDelivery', {
  description:
    'The delivery of one event to one receiver. Stored for 30 days after it finished, unless the service is configured otherwise.',
  fields: t => ({
    id: t.exposeID('id', {
      description: 'A decimal number that increases with every delivery. Numbers are not consecutive.',
    }),
    webhookId: t.string({
      description: 'The header `webhook-id`: the same for every attempt and receiver of the event.',
      extensions: inSql(({ column }) => `'evt_' || ${column('eventId')}`),
      resolve: ({ eventId }) => `evt_${eventId}`,
    }),
    type: t.field({
      type: DeliveredTypeEnum,
      description: 'What happened.',
      select: { event: { select: { type: true } } },
      extensions: inSql(({ through }) => through('event', 'type')),
      resolve: ({ event }) => event.type,
    }),
    status: t.expose('state', { type: DeliveryStatusEnum, description: 'Status of the delivery.' }),
    endpoint: t.relation('endpoint', {
      nullable: true,
      description: 'The endpoint; null for a delivery to the `callbackUrl` of the receipt.',
    }),
    callbackUrl: t.expose('url', {
      type: 'URL',
      nullable: true,
      description: 'The `callbackUrl`; null for a delivery to an endpoint.',
    }),
    receipt: t.field({
      type: ReceiptType,
      nullable: true,
      description: 'The receipt that the event is about, if any.',
      select: (_, __, nested) => ({ event: { select: { receipt: nested(true) } } }),
      extensions: asRelation('event.receipt'),
      resolve: ({ event }) => event.receipt,
    }),
    attemptCount: t.exposeInt('attempts', {
      description: 'Number of attempts since the delivery was created or last replayed.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Earliest time of the next attempt; while an attempt is in progress, when another may begin. Null once the delivery has finished.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the delivery finished; null before.',
    }),
    attempts: t.relation('log', {
      description: 'The newest 50 attempts, newest first.',
      query: { orderBy: { number: 'desc' }, take: 50 },
      extensions: { listSize: { assumedSize: 10, maxSize: 50 } },
    }),
  }),
})

export const EndpointType = builder.prismaObject('WebhookEndpoint', {
  interfaces: [Node],
  description: 'An address to which events of a project are POSTed, signed according to Standard Webhooks.',
  fields: t => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    project: t.relation('project', { description: 'The project whose events are sent to the endpoint.' }),
    url: t.expose('url', { type: 'URL', description: 'URL to which events are POSTed.' }),
    description: t.exposeString('description', { description: 'Name of the endpoint; may be empty.' }),
    eventTypes: t.field({
      type: listTypeOf(webhookTypesInput),
      description: 'The types of events that are sent to the endpoint.',
      extensions: inSql(({ column }) => column('eventTypes')),
      resolve: ({ eventTypes }) => eventTypes,
    }),
    isEnabled: t.boolean({
      description: 'Whether events are sent to the endpoint.',
      extensions: inSql(({ column }) => `(${column('disabledAt')} is null)`),
      resolve: ({ disabledAt }) => disabledAt === null,
    }),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true, description: 'Null while it is enabled.' }),
    disabledReason: t.expose('disabledReason', {
      type: DisabledReasonEnum,
      nullable: true,
      description: 'Why it is disabled; null while it is enabled.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'The first failed attempt since the last successful one; after five days the endpoint is disabled. Null while attempts succeed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    secret: t.string({
      nullable: true,
      authScopes: { access: 'manage' },
      extensions: { cost: 2 },
      description:
        'The present secret, `whsec_` and base64. `forbidden` for a session. Null when the service no longer has the key that made it.',
      resolve: ({ id, projectId }, _, context) => presentSecret(context, { projectId, endpointId: id }),
    }),
  }),
})

/** Throws `forbidden` for a session. */
const presentSecret = async (context: Context, owner: SecretOwner): Promise<string | null> => {
  demandNoSession(context.principal, 'read a webhook secret')
  const [present] = await liveSecrets(sqlOf(context.pool), context, owner)
  return present ? secretOf(context, present) : null
}

builder.prismaObjectField('Project', 'callbackSecret', t =>
  t.string({
    nullable: true,
    authScopes: { access: 'manage' },
    // The secret may have to be created.
    extensions: { cost: 10 },
    description:
      'The present secret that signs deliveries to the `callbackUrl` of the project’s receipts, `whsec_` and base64; created when first needed. `forbidden` for a session. Null when the service no longer has the key that made it.',
    resolve: ({ id }: Pick<Project, 'id'>, _, context) => presentSecret(context, { projectId: id, endpointId: null }),
  }),
)
