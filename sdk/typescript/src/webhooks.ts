// Verifies the service's notifications, which are signed as Standard Webhooks specifies.
import { WebhookNotVerified } from './errors.js'
import type {
  AgentAnchoredWebhook,
  EndpointTestWebhook,
  PaymentSettledWebhook,
  ReceiptRefundedWebhook,
  ReceiptWebhook,
} from './generated/types.js'

/** `type` determines the form of `data`. To the `callback_url` of a receipt only the first two are sent. */
export type WebhookEvent =
  | ReceiptWebhook
  | ReceiptRefundedWebhook
  | PaymentSettledWebhook
  | AgentAnchoredWebhook
  | EndpointTestWebhook

export type Webhook = {
  /** `whsec_` and base64, as the service shows it. */
  secret: string
  /** The request's headers: `Headers`, or an object with lower-case names, as in Node. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body's bytes or text as received, because parsing and serialising it would change it. */
  body: string | Uint8Array
  /** How many seconds its time may differ from ours; 300 by default. */
  toleranceSeconds?: number
}

/**
 * Verifies a notification. Throws WebhookNotVerified. The same notification can arrive more than once, with the same
 * `webhook-id`.
 */
export async function verifyWebhook({ secret, headers, body, toleranceSeconds = 300 }: Webhook): Promise<WebhookEvent> {
  const header = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name]
    if (typeof value !== 'string' || value === '') throw new WebhookNotVerified(`There is no header ${name}.`)
    return value
  }
  const [id, timestamp, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookNotVerified('webhook-timestamp is not a time.')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookNotVerified('webhook-timestamp is too far from now.')
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const before = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(before.length + content.length)
  signed.set(before)
  signed.set(content, before.length)
  const raw = fromBase64(secret.replace(/^whsec_/, ''))
  if (raw === null || raw.length === 0) throw new TypeError('The secret is not whsec_ and base64.')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const one of signatures.split(' ')) {
    const [version, text = ''] = one.split(',')
    const signature = version === 'v1' ? fromBase64(text) : null
    // `verify` compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
      return JSON.parse(new TextDecoder().decode(content))
  }
  throw new WebhookNotVerified('No signature is valid.')
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    return null
  }
}
