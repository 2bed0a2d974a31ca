// Edges of public objects show what is private to their project and to administrators only.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }
let receipt: string

beforeAll(async () => {
  service = await startService()
  mine = await service.api.project('Mine')
  other = await service.api.project('Other')
  receipt = (await service.api.record(mine.key)).json.receipt_id
  await service.api.anchored(receipt)
})
afterAll(() => service.stop())

const ask = (query: string, key: string | null, variables: Record<string, unknown> = {}) =>
  service.api.graphql(query, { variables, ...(key && { key }) })

it('the events of a receipt tell nobody else of its refund', async () => {
  const refund = 'mutation ($id: ID!) { refundReceipt(input: { originalReceiptId: $id }) { refund { id } } }'
  await ask(refund, mine.key, { id: receipt })
  const query = 'query ($id: ID!) { receipt(id: $id) { events { totalCount nodes { type } } } }'
  const seenBy = async (key: string | null) => {
    const { events } = (await ask(query, key, { id: receipt })).data.receipt
    expect(events.totalCount).toBe(events.nodes.length)
    return events.nodes.some(({ type }: { type: string }) => type === 'RECEIPT_REFUNDED')
  }
  expect(await Promise.all([mine.key, adminKey, other.key, null].map(seenBy))).toEqual([true, true, false, false])
})

it('the file of a statement is found by its project and by administrators', async () => {
  const made = 'mutation { generateStatement(input: {}) { statement { pages { nodes { id } } } } }'
  const { statement } = (await ask(made, mine.key)).data.generateStatement
  const query = 'query ($id: ID!) { node(id: $id) { id } }'
  const { id } = statement.pages.nodes[0]
  const foundBy = async (key: string | null) => (await ask(query, key, { id })).data.node !== null
  expect(await Promise.all([mine.key, adminKey, other.key, null].map(foundBy))).toEqual([true, true, false, false])
})

it('an absent project has no cursor of its events', async () => {
  const { errors } = await ask('{ eventCursor(projectId: "00000000-0000-4000-8000-000000000000") }', adminKey)
  expect(errors[0].extensions.code).toBe('not_found')
})
