// The GraphQL subscriptions to a project's events.
import { z } from 'zod'
import { webhookTypes } from '../../core/event-types.ts'
import { receiptStatuses } from '../../core/states.ts'
import { uuid } from '../../core/text.ts'
import { builder } from '../../kit/builder.ts'
import type { Context } from '../../kit/context.ts'
import { described, textInRest } from '../../kit/enum-names.ts'
import { argumentsOf, listTypeOf } from '../../kit/input.ts'
import { openStream } from '../../kit/open-stream.ts'
import { parse } from '../../kit/parse.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { PaymentType } from '../payments/type.ts'
import { ReceiptStatusEnum } from '../receipts/enums.ts'
import { type WebhookBody, webhookBody } from './data.ts'
import { resumedAfter, webhookTypesInput } from './input.ts'
import { type LoggedEvent, newestOf } from './log.ts'
import { followedProject, followProject } from './project.ts'
import { receiptEventOf } from './receipt-event.ts'
import { ReceiptEventType } from './schema.ts'
import { paymentEventTexts } from './texts.ts'

const ofProject = {
  projectId: uuid.nullish().describe('The project; needed from a service administrator, else the key’s own.'),
  after: resumedAfter.describe(
    'Id of the last event seen; the stream continues after it. Unless given, the stream starts now.',
  ),
}

const receiptChangedArguments = z.strictObject({
  ...ofProject,
  status: z.enum(receiptStatuses).nullish().describe('Only changes after which the receipt is in this state.'),
})

builder.subscriptionField('receiptChanged', t =>
  t.field({
    type: ReceiptEventType,
    description:
      'Each change of any receipt of the caller’s project, from now on or since the event `after`. The stream does not end by itself.',
    args: argumentsOf(receiptChangedArguments, { status: ReceiptStatusEnum }),
    access: 'read',
    input: receiptChangedArguments,
    errors: ['forbidden', 'not_found', 'project_key_required', 'too_many_requests'],
    subscribe: (_, args, context) => {
      const { status, ...from } = parse(receiptChangedArguments, args)
      return followed(context, from, event => {
        const change = receiptEventOf(event)
        return change && (!status || change.status === status) ? change : null
      })
    },
    resolve: event => event,
  }),
)

const PaymentEventTypeEnum = builder.enumType('PaymentEventType', {
  description: 'What happened to a payment.',
  extensions: textInRest,
  values: described<string>(paymentEventTexts),
})

const PaymentEventType = builder.objectRef<LoggedEvent & { paymentId: string }>('PaymentEvent').implement({
  description: 'A change of a payment to this service.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Increases with every change. Pass the last id seen as `after` to resume.' }),
    type: t.expose('type', {
      type: PaymentEventTypeEnum,
      description: 'The new status of the payment; `PAYMENT_DROPPED` when no transaction was sent and none will be.',
    }),
    paymentId: t.exposeID('paymentId', { description: 'The payment’s UUID.' }),
    payment: t.prismaField({
      type: PaymentType,
      nullable: true,
      description: 'The payment as it is now; null once it was dropped.',
      resolve: (query, { paymentId }, _, { db }) => db.payment.findUnique({ ...query, where: { id: paymentId } }),
    }),
  }),
})

const paymentChangedArguments = z.strictObject(ofProject)

builder.subscriptionField('paymentChanged', t =>
  t.field({
    type: PaymentEventType,
    description:
      'Each change of any payment of the caller’s project to this service, from now on or since the event `after`. The stream does not end by itself.',
    args: argumentsOf(paymentChangedArguments),
    access: 'read',
    input: paymentChangedArguments,
    errors: ['forbidden', 'not_found', 'project_key_required', 'too_many_requests'],
    subscribe: (_, args, context) =>
      followed(context, parse(paymentChangedArguments, args), event =>
        event.paymentId === null ? null : { ...event, paymentId: event.paymentId },
      ),
    resolve: event => event,
  }),
)

const [webhookTypeRef] = listTypeOf(webhookTypesInput)

const WebhookEventType = builder.objectRef<WebhookBody & { id: string }>('WebhookEvent').implement({
  description: 'An event with the content of its webhook.',
  fields: t => ({
    id: t.exposeID('id', { description: 'Increases with every event. The `webhook-id` is `evt_` and this id.' }),
    type: t.expose('type', { type: webhookTypeRef, description: 'What happened.' }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'When it happened.',
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
    errors: ['forbidden', 'not_found', 'project_key_required', 'too_many_requests'],
    subscribe: (_, args, context) => {
      const { types, ...from } = parse(webhookEventsArguments, args)
      const asked: readonly string[] = types ?? webhookTypes
      return followed(context, from, event => {
        const body = asked.includes(event.type) ? webhookBody(event, context.publicBaseUrl) : null
        return body && { id: event.id, ...body }
      })
    },
    resolve: event => event,
  }),
)

builder.prismaObjectField('Project', 'eventCursor', t =>
  t.id({
    description:
      'Id of the project’s newest event, `0` before the first. A subscription with this id as `after` misses no event from now on, even if its connection is lost before its first event.',
    // Each project costs a query of its own.
    extensions: { cost: 2 },
    resolve: ({ id }: { id: string }, _, { pool }) => newestOf(sqlOf(pool), id),
  }),
)

type From = { projectId?: string | null | undefined; after?: string | null | undefined }

function followed<Event>(context: Context, from: From, picked: (event: LoggedEvent) => Event | null) {
  const projectId = followedProject(context.principal, from.projectId ?? null)
  return openStream(context, () => followProject(context, { projectId, after: from.after ?? null }, picked))
}
