// Valid deliveries, and faults that make a delivery invalid.
import { createHmac, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

export const freshSecret = () => `whsec_${randomBytes(32).toString('base64')}`

export type Sent = { id: string; timestamp: string; signature: string; body: string }

/** Returns a delivery as the service would sign it. */
export function signedBy(secret: string, ageSeconds = 0): Sent {
  const at = new Date(Date.now() - ageSeconds * 1_000)
  // A serialiser would format this body differently.
  const body = '{ "type":"receipt.anchored",  "data": {"reference": "Ä\\u00e4 \u2713"}}\n'
  const id = `evt_${Math.floor(Math.random() * 1e15)}`
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  return { id, timestamp, signature: new Webhook(secret).sign(id, at, body), body }
}

/** Signs with an empty key, which is the effect of a forgotten secret. */
export function signedByNothing(): Sent {
  const { id, timestamp, body } = signedBy(freshSecret())
  const hmac = createHmac('sha256', '').update(`${id}.${timestamp}.${body}`).digest('base64')
  return { id, timestamp, body, signature: `v1,${hmac}` }
}

/** Sends a delivery and returns the status of the answer. Empty headers are left out. */
export async function send(url: string, { id, timestamp, signature, body }: Sent): Promise<number> {
  const all = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  return (await fetch(url, { method: 'POST', headers, body })).status
}

const otherwise = (signature: string) =>
  signature.replace(/[^=](=*)$/, (last, rest) => (last[0] === 'A' ? 'E' : 'A') + rest)

/** Deliveries that a receiver with that secret has to refuse, by their fault. */
export const wrongWebhooks: [string, (sent: Sent, secret: string) => Partial<Sent>][] = [
  ['a changed body', ({ body }) => ({ body: body.replace('anchored', 'refunded') })],
  ['a body that was written again', ({ body }) => ({ body: JSON.stringify(JSON.parse(body)) })],
  ['no body', () => ({ body: '' })],
  ['a changed id', ({ id }) => ({ id: `${id}0` })],
  ['an id that is a path', () => ({ id: '../../evt_1' })],
  ['a changed timestamp', ({ timestamp }) => ({ timestamp: String(Number(timestamp) - 1) })],
  ['a timestamp of six minutes ago, rightly signed', (_, secret) => signedBy(secret, 360)],
  ['a timestamp six minutes ahead, rightly signed', (_, secret) => signedBy(secret, -360)],
  ['a timestamp that is none', () => ({ timestamp: 'now' })],
  ['a signature by another secret', () => ({ signature: signedBy(freshSecret()).signature })],
  ['a signature that differs at its end', ({ signature }) => ({ signature: otherwise(signature) })],
  ['a signature of another version', ({ signature }) => ({ signature: signature.replace('v1', 'v1a') })],
  ['a signature without its version', ({ signature }) => ({ signature: signature.slice(3) })],
  ['the beginning of a signature', ({ signature }) => ({ signature: signature.slice(0, 20) })],
  ['an empty signature', () => ({ signature: 'v1,' })],
  ['a star for a signature', () => ({ signature: '*' })],
  ['no signature', () => ({ signature: '' })],
  ['no headers', () => ({ id: '', timestamp: '', signature: '' })],
]
