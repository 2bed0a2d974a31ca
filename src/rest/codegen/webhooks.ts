// What OpenAPI says of deliveries to a receipt's `callback_url`: Standard Webhooks, one kind for each state.
import type { JsonSchema } from '../scalars.ts'
import { ref } from './error-shapes.ts'
import type { Plan } from './plan.ts'

/** The schema that the event stream names, and so must be in the document. */
export const eventSchema = 'ReceiptEvent'

const kinds = {
  'receipt.pending': 'A receipt was recorded.',
  'receipt.awaiting_anchor': 'A receipt was sealed and waits for its anchor, or waits again because a block was lost.',
  'receipt.anchored': 'A receipt is anchored: it is complete.',
  'receipt.failed': 'The processing of a receipt failed.',
}

const later =
  'Not sent yet: deliveries begin with a later version of this service. They are POST requests to the `callback_url` of the ' +
  'receipt, each at least once and with the same `webhook-id` whenever it is repeated. An answer of 2xx within 15 seconds is ' +
  'success; otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. Redirects are not followed.'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

export const webhookParameters: Record<string, JsonSchema> = {
  WebhookId: header('webhook-id', 'Id of the delivery, the same whenever it is repeated: carry out each id once.'),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  WebhookSignature: header(
    'webhook-signature',
    'By Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by `.`; several are separated by ' +
      'spaces. Check it before the body is read.',
  ),
}

export const webhookSchemas: Record<string, JsonSchema> = {
  ReceiptWebhook: {
    type: 'object',
    description: 'The body of a delivery.',
    properties: {
      type: { type: 'string', enum: Object.keys(kinds), description: 'What happened.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: ref(eventSchema),
    },
    required: ['type', 'timestamp', 'data'],
  },
}

const delivery = (operationId: string, summary: string): JsonSchema => ({
  operationId,
  summary: summary.replace(/\.$/, ''),
  description: `${summary} ${later}`,
  tags: ['receipts'],
  security: [],
  parameters: Object.keys(webhookParameters).map(name => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: { required: true, content: { 'application/json': { schema: ref('ReceiptWebhook') } } },
  responses: {
    '2XX': { description: 'The delivery was taken.' },
    '4XX': { description: 'The delivery was not taken, and is repeated.' },
  },
})

const nameOf = (kind: string) => kind.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

export const webhooks = Object.fromEntries(
  Object.entries(kinds).map(([kind, summary]) => [kind, { post: delivery(`${nameOf(kind)}Webhook`, summary) }]),
)

/** For the operation that takes the address of the deliveries. */
export const callbacksOf = ({ params }: Plan): JsonSchema =>
  params.some(({ name, in: place }) => place === 'body' && name === 'callback_url')
    ? {
        callbacks: {
          receiptChanged: {
            '{$request.body#/callback_url}': { post: delivery('receiptChanged', 'The state of a receipt changed.') },
          },
        },
      }
    : {}
