// The types of events in the log. Those of `webhookTypes` are sent to receivers.

/** Every type that a webhook endpoint can ask for. */
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

/** As GraphQL names it: it allows no dot in the name of an enum's value. */
export const enumNameOf = (type: string): string => type.replace('.', '_')

/** Sent to one endpoint, when its owner asks for it. */
export const testType = 'webhook.test'

export type PaymentChange = 'verified' | 'settling' | 'settled' | 'delivered' | 'failed' | 'dropped'
type EndpointChange = 'created' | 'updated' | 'enabled' | 'disabled' | 'deleted' | 'secret_rotated'

export type EventType =
  | WebhookType
  | typeof testType
  | `payment.${PaymentChange}`
  | 'agent.anchor_requested'
  | 'agent.anchor_lost'
  | `webhook_endpoint.${EndpointChange}`
