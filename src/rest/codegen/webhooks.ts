// Parts of OpenAPI for deliveries to endpoints and to a receipt's `callback_url`: Standard Webhooks, one webhook for
// each event type.
import { z } from 'zod'
import { testType, type WebhookType } from '../../core/event-types.ts'
import { settlementStatusNames } from '../../core/settlement.ts'
import type { JsonSchema } from '../scalars.ts'
import { ref } from './error-shapes.ts'
import type { Plan } from './plan.ts'

/** Schema name of the events in the event stream; the webhook bodies refer to it. */
export const eventSchema = 'ReceiptEvent'

type Kind = { summary: string; tag: string; body: string }

const ofPayment = { tag: 'payments', body: 'PaymentSettledWebhook' }
const ofReceipt = { tag: 'receipts', body: 'ReceiptWebhook' }
const kinds: Record<WebhookType | typeof testType, Kind> = {
  'receipt.pending': { summary: 'A receipt was recorded.', ...ofReceipt },
  'receipt.awaiting_anchor': {
    summary: 'A receipt was sealed and waits for its anchor, or waits again because a block was lost.',
    ...ofReceipt,
  },
  'receipt.anchored': { summary: 'A receipt is anchored: it is complete.', ...ofReceipt },
  'receipt.failed': { summary: 'The processing of a receipt failed.', ...ofReceipt },
  'receipt.refunded': {
    summary: 'A refund of a receipt was recorded, or the transaction that gave the money back became known.',
    ...ofReceipt,
    body: 'ReceiptRefundedWebhook',
  },
  'receipt.settlement_checked': {
    summary: 'The payment of a receipt was checked on its own chain, or checked again with another result.',
    ...ofReceipt,
    body: 'ReceiptSettlementWebhook',
  },
  'payment.settled': {
    summary: 'A payment to this service, sent with a key of the project, is paid on its chain.',
    ...ofPayment,
  },
  'payment.corrected': {
    summary: 'A reorganisation of the chain made another transaction the settlement of a payment.',
    ...ofPayment,
  },
  'payment.reversed': {
    summary: 'A reorganisation of the chain took the settlement of a payment back: it is not paid any more.',
    ...ofPayment,
  },
  'agent.anchored': {
    summary: 'A hash that was anchored for an agent is final.',
    tag: 'agents',
    body: 'AgentAnchoredWebhook',
  },
  [testType]: { summary: 'A test of an endpoint was requested.', tag: 'projects', body: 'EndpointTestWebhook' },
}

const receiversOf = (type: string) => {
  if (type === testType) return 'It is sent to that endpoint only, whatever its event types are.'
  const orCallback = type.startsWith('receipt.') ? ', and to the `callback_url` of the receipt' : ''
  return `It is sent to the project’s endpoints with this type (\`createWebhookEndpoint\` in GraphQL)${orCallback}.`
}
const sent =
  'A delivery is a POST request, sent at least once, with the same `webhook-id` in every attempt and to every ' +
  'receiver. A 2xx answer within 15 seconds is success. After any other outcome it is sent again after 5 s, 5 min, ' +
  '30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, or later when `Retry-After` requests it. Redirects are not followed.'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const webhookParameters = [
  header('webhook-id', 'Id of the event, the same in every attempt and to every receiver: process each id once.'),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  header(
    'webhook-signature',
    'In the form of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by `.`; ' +
      'several signatures are separated by spaces. Verify it before the body is parsed.',
  ),
]

const object = z.looseObject({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()) })

/** Returns a flat schema, because not every type generator combines an object from several schemas. */
function withMembers(schema: JsonSchema | undefined, more: Record<string, JsonSchema>): JsonSchema {
  const { properties, required, ...rest } = object.parse(schema)
  return { ...rest, properties: { ...properties, ...more }, required: [...required, ...Object.keys(more)] }
}

const id = (description: string) => ({ type: 'string', format: 'uuid', description })

/** Returns the schemas of the bodies whose data schemas are in the document. */
export function webhookSchemas(known: ReadonlyMap<string, JsonSchema>): Record<string, JsonSchema> {
  const body = (name: string, data: JsonSchema): Record<string, JsonSchema> => ({
    [name]: {
      type: 'object',
      description: 'The body of a delivery.',
      properties: {
        type: { type: 'string', enum: typesOf(name), description: 'What happened.' },
        timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
        data,
      },
      required: ['type', 'timestamp', 'data'],
    },
  })
  return {
    ...body('ReceiptWebhook', ref(eventSchema)),
    RefundEvent: withMembers(known.get(eventSchema), {
      refund_receipt_id: id('The UUID of the receipt that records the refund.'),
      refund_amount: {
        type: 'string',
        description: 'The amount of the refund, which can be a part of the payment: an exact decimal, in its currency.',
      },
      refund_settled: { type: 'boolean', description: 'Whether the transaction that gave the money back is known.' },
    }),
    ...body('ReceiptRefundedWebhook', ref('RefundEvent')),
    SettlementEvent: withMembers(known.get(eventSchema), {
      settlement_status: {
        type: 'string',
        enum: settlementStatusNames,
        description: 'The result of the check of the payment on its own chain.',
      },
    }),
    ...body('ReceiptSettlementWebhook', ref('SettlementEvent')),
    ...(known.has('PaymentSummary') && body('PaymentSettledWebhook', ref('PaymentSummary'))),
    ...(known.has('AgentAnchor') && {
      AgentAnchorEvent: withMembers(known.get('AgentAnchor'), { agent_id: id('The agent’s UUID.') }),
      ...body('AgentAnchoredWebhook', ref('AgentAnchorEvent')),
    }),
    ...body('EndpointTestWebhook', {
      type: 'object',
      properties: { endpoint_id: id('The UUID of the endpoint.') },
      required: ['endpoint_id'],
    }),
  }
}

const typesOf = (body: string) => Object.entries(kinds).flatMap(([type, kind]) => (kind.body === body ? [type] : []))

const delivery = (operationId: string, { summary, tag }: Kind, text: string, body: JsonSchema): JsonSchema => ({
  operationId,
  summary: summary.replace(/\.$/, ''),
  description: `${summary} ${text}${sent}`,
  tags: [tag],
  security: [],
  // Not by reference, which openapi-generator does not follow in webhooks.
  parameters: webhookParameters,
  requestBody: { required: true, content: { 'application/json': { schema: body } } },
  responses: {
    '2XX': { description: 'The delivery was accepted.' },
    '410': { description: 'The receiver is gone: the endpoint is disabled, or no more is sent about this receipt.' },
    default: { description: 'The delivery was not accepted, and is sent again.' },
  },
})

const nameOf = (kind: string) => kind.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the webhooks whose body schema is in the document. */
export const webhooks = (schemas: Record<string, JsonSchema>): JsonSchema =>
  Object.fromEntries(
    Object.entries(kinds)
      .filter(([, { body }]) => body in schemas)
      .map(([type, kind]) => [
        type,
        { post: delivery(`${nameOf(type)}Webhook`, kind, `${receiversOf(type)} `, ref(kind.body)) },
      ]),
  )

const ofCallback = { summary: 'The state of a receipt or of its refund changed.', tag: 'receipts', body: '' }

/** Returns the `callbacks` of an operation that accepts a `callback_url`. */
export const callbacksOf = ({ params }: Plan): JsonSchema =>
  params.some(({ name, in: place }) => place === 'body' && name === 'callback_url')
    ? {
        callbacks: {
          receiptChanged: {
            '{$request.body#/callback_url}': {
              post: delivery('receiptChanged', ofCallback, '', {
                type: 'object',
                description: 'The `ReceiptWebhook` or `ReceiptRefundedWebhook` of `/webhooks.json`.',
              }),
            },
          },
        },
      }
    : {}
