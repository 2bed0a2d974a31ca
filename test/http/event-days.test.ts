// Old events are deleted only if the operator sets EVENT_DAYS, and no client silently misses one.
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanEvents } from '../../src/modules/events/clean.ts'
import { type Service, startService } from '../kit/service.ts'

let service: Service
let project: { id: string; key: string }
let receipt: string

beforeAll(async () => {
  service = await startService({ EVENT_DAYS: '30', ALLOW_PRIVATE_TARGETS: 'true' })
  project = await service.api.project()
  receipt = await record()
})
afterAll(() => service.stop())

async function record(tip: object = {}): Promise<string> {
  const { json } = await service.api.record(project.key, tip)
  await service.api.anchored(json.receipt_id)
  return json.receipt_id
}

const typesOf = async (id: string) => {
  const query = 'query ($id: ID!) { receipt(id: $id) { events { nodes { type } } } }'
  const { data } = await service.api.graphql(query, { key: project.key, variables: { id } })
  return data.receipt.events.nodes.map(({ type }: { type: string }) => type)
}
const eventCursor = async (): Promise<string> =>
  (await service.api.graphql('{ eventCursor }', { key: project.key })).data.eventCursor
const age = (days: number) =>
  service.app.pool.query(`update events set created_at = created_at - $1 * interval '1 day'`, [days])

/** Returns the first answer of a stream after the cursor: its error, or null when the stream stays open. */
async function refusal(after: string): Promise<string | null> {
  const client = createClient({ url: `${service.base}/graphql/stream`, headers: { 'X-API-Key': project.key } })
  const answers = client.iterate<{ receiptChanged: unknown }>({
    query: `subscription { receiptChanged(after: "${after}") { cursor } }`,
  })
  const silence = new Promise<null>(resolve => setTimeout(() => resolve(null), 500).unref())
  const first = await Promise.race([answers.next(), silence])
  client.dispose()
  return first === null ? null : String(first.value?.errors?.[0]?.extensions?.code ?? 'an event')
}

it('stay while they are young', async () => {
  const before = await eventCursor()
  await age(29)
  await cleanEvents(service.app)
  expect(await typesOf(receipt)).toEqual(['RECEIPT_PENDING', 'RECEIPT_AWAITING_ANCHOR', 'RECEIPT_ANCHORED'])
  expect(await refusal('0')).toBe('an event')
  expect(await refusal(before)).toBeNull()
})

it('go when they are old: a late client is told, and a receipt keeps its newest state', async () => {
  const early = await eventCursor()
  const delivered = await record({ callback_url: 'http://127.0.0.1:9/hook' })
  await age(2)
  const young = await record()
  const late = await eventCursor()
  // That receipt, and the one with deliveries, are old by now.
  await service.app.pool.query(
    `update events set created_at = created_at - interval '30 days' where receipt_id = any($1::uuid[])`,
    [[delivered]],
  )
  await cleanEvents(service.app)
  expect(await typesOf(receipt)).toEqual(['RECEIPT_ANCHORED'])
  expect(await typesOf(delivered)).toEqual(['RECEIPT_PENDING', 'RECEIPT_AWAITING_ANCHOR', 'RECEIPT_ANCHORED'])
  expect(await typesOf(young)).toHaveLength(3)
  expect(await refusal('0')).toBe('cursor_behind')
  expect(await refusal(early)).toBe('cursor_behind')
  expect(await refusal(late)).toBeNull()
  expect(await refusal('999999999999999999')).toBe('cursor_ahead')
  const { rows } = await service.app.pool.query(`select action from audit_events where object_id = $1 order by id`, [
    receipt,
  ])
  expect(rows.map(({ action }) => action)).toEqual(['receipt.record', 'receipt.anchor'])
  // The stream of a receipt begins with its newest state.
  const answer = await fetch(`${service.base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ query: `subscription { receiptEvents(receiptId: "${receipt}") { type } }` }),
  })
  expect(await answer.text()).toContain('RECEIPT_ANCHORED')
})

it('leave a cursor from which a quiet project can be followed', async () => {
  await age(60)
  await cleanEvents(service.app)
  expect(await refusal(await eventCursor())).toBeNull()
  const fresh = await service.api.project()
  const { data } = await service.api.graphql('{ eventCursor }', { key: fresh.key })
  project = fresh
  expect(await refusal(data.eventCursor)).toBeNull()
  await record()
  expect(await refusal(data.eventCursor)).toBe('an event')
})
