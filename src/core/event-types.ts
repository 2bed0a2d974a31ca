// The types of events in the event log. Those in `webhookTypes` are sent to webhook endpoints.

/** Every type that a webhook endpoint can subscribe to. */
export const webhookTypes = [
  'receipt.pending',
  'receipt.awaiting_anchor',
  'receipt.anchored',
  'receipt.failed',
  'receipt.refunded',
  'payment.settled',
  'agent.anchored',
] as const
export type WebhookType = (typeof webhookTypes)[number]

/** Sent to one endpoint, when its project requests it. */
export const testType = 'webhook.test'

/** `recorded` is the only one that is not a move between statuses: a receipt records the payment from then on. */
export type PaymentChange = 'verified' | 'settling' | 'settled' | 'delivered' | 'failed' | 'dropped' | 'recorded'
type EndpointChange = 'created' | 'updated' | 'enabled' | 'disabled' | 'deleted' | 'secret_rotated'

export type EventType =
  | WebhookType
  | typeof testType
  | `payment.${PaymentChange}`
  | 'agent.anchor_requested'
  | 'agent.anchor_lost'
  | `webhook_endpoint.${EndpointChange}`
