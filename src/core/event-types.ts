// The types of events in the event log. Those in `webhookTypes` are sent to webhook endpoints.

/** Every type that a webhook endpoint can subscribe to. */
export const webhookTypes = [
  'receipt.pending',
  'receipt.awaiting_anchor',
  'receipt.anchored',
  'receipt.failed',
  'receipt.refunded',
  'receipt.settlement_checked',
  'payment.settled',
  'payment.corrected',
  'payment.reversed',
  'agent.anchored',
] as const
export type WebhookType = (typeof webhookTypes)[number]

/** Sent to one endpoint, when its project requests it. */
export const testType = 'webhook.test'

/**
 * The last two are no moves between statuses: another transaction settles the payment now; a receipt records it from
 * then on.
 */
export type PaymentChange =
  | 'verified'
  | 'settling'
  | 'settled'
  | 'delivered'
  | 'failed'
  | 'reversed'
  | 'dropped'
  | 'corrected'
  | 'recorded'
type EndpointChange = 'created' | 'updated' | 'enabled' | 'disabled' | 'deleted' | 'secret_rotated'

export type EventType =
  | WebhookType
  | typeof testType
  | `payment.${PaymentChange}`
  | 'agent.anchor_requested'
  | 'agent.anchor_lost'
  | `webhook_endpoint.${EndpointChange}`
