// The headers of the request that POSTs an event, according to Standard Webhooks.
import { Webhook } from 'standardwebhooks'

/** Derives the `webhook-id` from the event, so that it is the same for every attempt and receiver of the event. */
export const webhookId = (eventId: string) => `evt_${eventId}`

/** Returns the headers for a request now, signed with each secret, so that a receiver with any of them accepts it. */
export function envelope(eventId: string, secrets: readonly string[], body: string): Record<string, string> {
  const now = new Date()
  const id = webhookId(eventId)
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}
