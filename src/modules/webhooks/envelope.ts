// The headers in which an event is POSTed, as Standard Webhooks says.
import { Webhook } from 'standardwebhooks'

/** The id is the event's, so that it is the same however often and to however many addresses the event is sent. */
export const webhookId = (eventId: string) => `evt_${eventId}`

/** For a request that is sent now: signed with each of these secrets, so that a receiver that knows one of them accepts it. */
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
