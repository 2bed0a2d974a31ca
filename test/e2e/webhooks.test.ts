// Events reach the addresses that asked for them, signed, and what a receiver does is acted upon as planned.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Behaviour, startReceiver, verified } from '../kit/receiver.ts'
import { type Service, startService, tipOf } from '../kit/service.ts'

let service: Service
let project: { id: string; key: string }

beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true' })
  project = await service.api.project()
})
afterAll(() => service.stop())

const sql = async (text: string, values: unknown[] = []) => (await service.app.pool.query(text, values)).rows
/** What waits for its time is due now. */
const timePasses = () => sql(`update webhook_deliveries set next_attempt_at = now() where state = 'waiting' and lease_id is null`)

async function ask(query: string, variables: Record<string, unknown> = {}, key = project.key) {
  const { data, errors } = await service.api.graphql(query, { key, variables })
  if (errors) throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions.code })
  return data
}

const facts = 'id url isEnabled disabledReason failingSince secret eventTypes'
async function endpointAt(url: string, eventTypes: string[] | null = null) {
  const { createWebhookEndpoint } = await ask(
    `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { ${facts} } }`,
    { input: { url, eventTypes } },
  )
  return createWebhookEndpoint
}
const endpoint = async (id: string) =>
  (await ask(`query ($id: ID!) { webhookEndpoint(id: $id) { ${facts} } }`, { id })).webhookEndpoint
const deliveriesOf = async (endpointId: string) =>
  (
    await ask(
      `query ($id: ID!) { webhookDeliveries(endpointId: $id, first: 100) { nodes {
         id webhookId type state attemptCount nextAttemptAt attempts { number statusCode error answerStart durationMs } } } }`,
      { id: endpointId },
    )
  ).webhookDeliveries.nodes
const remove = (id: string) =>
  ask('mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { id } }', { id })

describe('a receipt', () => {
  it('tells its callback_url and the project’s endpoint of each state, with one webhook-id and good signatures', async () => {
    const receiver = await startReceiver()
    const { id, secret } = await endpointAt(`${receiver.url}/endpoint`)
    const { json } = await service.api.record(project.key, { callback_url: `${receiver.url}/callback?order=1` })
    await service.api.anchored(json.receipt_id)
    const life = ['receipt.pending', 'receipt.awaiting_anchor', 'receipt.anchored']
    await expect.poll(() => receiver.types('/callback?order=1')).toEqual(life)
    await expect.poll(() => receiver.types('/endpoint')).toEqual(life)
    const { projects } = await ask('{ projects { callbackSecret } }')
    for (const one of receiver.received) {
      expect(one.headers['content-type']).toBe('application/json')
      expect(verified(one.path === '/endpoint' ? secret : projects[0].callbackSecret, one)).toEqual(one.body)
    }
    const ids = (path: string) => new Set(receiver.received.filter(one => one.path === path).map(one => one.id))
    expect(ids('/endpoint')).toEqual(ids('/callback?order=1'))
    // The same object as the stream of the receipt.
    const stream = await (await fetch(`${service.base}/v1/iso/events/${json.receipt_id}`)).text()
    const [, streamed = ''] = /^data: (.*)$/m.exec(stream) ?? []
    const anchored = receiver.received.find(one => one.body.type === 'receipt.anchored')
    expect(anchored?.body.data).toEqual(JSON.parse(streamed))
    await remove(id)
    await receiver.stop()
  })
})

void tipOf
export type { Behaviour }
