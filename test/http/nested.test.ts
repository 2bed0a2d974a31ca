// Nested data is read with one statement, however large it is; lists show what the caller may see and requested.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }

beforeAll(async () => {
  service = await startService()
  mine = await service.api.project('Mine')
  other = await service.api.project('Other')
  const recorded = await Promise.all(
    Array.from({ length: 25 }, (_, n) =>
      service.api.record(n < 21 ? mine.key : other.key, {
        reference: `order_${n}%`,
        chain: n % 2 ? 'base' : 'polygon',
      }),
    ),
  )
  await Promise.all(recorded.map(({ json }) => service.api.anchored(json.receipt_id)))
})
afterAll(() => service.stop())

const nested = `{ receipts(first: 20) { nodes {
  id status amount bundleUrl project { id name } artifacts { nodes { type url sha256 } } anchors { anchorTx blockNumber status }
} } }`

/** Whether a statement reads rows for the answer. The worker's own statements may run at the same time. */
const isRead = (statement: string) =>
  /from receipts t\d|FROM \W*public\W+(receipts|anchors|artifacts|projects|anchor_)/.test(statement)

/** Runs a request and notes the statements that read rows for its answer. */
async function reading<Answer>(run: () => Promise<Answer>): Promise<{ statements: string[]; answer: Answer }> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const answer = await run()
    return { answer, statements: query.mock.calls.map(([text]) => JSON.stringify(text)).filter(isRead) }
  } finally {
    query.mockRestore()
  }
}

describe('nested receipts', () => {
  it('20 receipts with artifacts, anchors and project are one SQL statement', async () => {
    // The first call also reads the API key.
    await service.api.graphql(nested, { key: mine.key })
    await service.api.graphql('{ projects { nodes { id } } }', { key: mine.key })
    const { statements, answer } = await reading(() => service.api.graphql(nested, { key: mine.key }))
    const { data } = answer
    expect(data.receipts.nodes).toHaveLength(20)
    expect(data.receipts.nodes[0]).toMatchObject({
      status: 'ANCHORED',
      project: { id: mine.id },
      anchors: [{ status: 'FINAL' }],
    })
    expect(data.receipts.nodes[0].artifacts.nodes.length).toBeGreaterThanOrEqual(2)
    expect(statements).toHaveLength(1)
  })

  it('one receipt with relations is one statement too', async () => {
    const { json } = await service.api.call('GET', '/v1/receipts', { key: mine.key })
    const one = 'query ($id: ID!) { receipt(id: $id) { artifacts { nodes { url } } anchors { anchorTx } } }'
    const { statements } = await reading(() => service.api.graphql(one, { variables: { id: json.items[0].id } }))
    expect(statements).toHaveLength(1)
  })

  it('beside an object that is refused are read with no more statements', async () => {
    const { json } = await service.api.call('GET', '/v1/receipts', { key: other.key })
    const refused = `refused: receipt(id: "${json.items[0].id}") { project { name } }`
    const alone = await reading(() => service.api.graphql(`{ ${refused} }`, { key: mine.key }))
    const both = await reading(() => service.api.graphql(`{ ${refused} ${nested.slice(1)}`, { key: mine.key }))
    expect(both.answer.data).toMatchObject({ refused: { project: null }, receipts: { nodes: { length: 20 } } })
    expect(both.statements).toHaveLength(alone.statements.length)
  })

  it('a receipt’s project is refused with forbidden for callers of other projects', async () => {
    const { json } = await service.api.call('GET', '/v1/receipts', { key: mine.key })
    const { data, errors } = await service.api.graphql(
      'query ($id: ID!) { receipt(id: $id) { id project { name } } }',
      { key: other.key, variables: { id: json.items[0].id } },
    )
    expect(data.receipt).toEqual({ id: json.items[0].id, project: null })
    expect(errors[0].extensions.code).toBe('forbidden')
  })
})

describe('lists', () => {
  const list = async (query: string, key = mine.key) =>
    (await service.api.call('GET', `/v1/receipts${query}`, { key })).json
  const total = async (query: string, key?: string) => (await list(query, key)).total

  it('are paged, newest first, with every field', async () => {
    const page = await list('?page=2&page_size=10')
    expect([page.total, page.page, page.page_size, page.items.length]).toEqual([21, 2, 10, 10])
    expect(Object.keys(page.items[0]).sort()).toEqual([
      'amount',
      'anchored_at',
      'chain',
      'created_at',
      'currency',
      'id',
      'reference',
      'status',
    ])
    const times = page.items.map((item: { created_at: string }) => item.created_at)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('have the caller’s project only; an administrator sees all projects, and a project key may not request them', async () => {
    expect(await total('')).toBe(21)
    expect(await total('', other.key)).toBe(4)
    expect(await total('?scope=all', adminKey)).toBe(25)
    expect(await total(`?scope=all&project_id=${other.id}`, adminKey)).toBe(4)
    expect(await total(`?project_id=${other.id}`)).toBe(0)
    expect((await service.api.call('GET', '/v1/receipts?scope=all', { key: mine.key })).status).toBe(403)
    expect((await service.api.call('GET', '/v1/receipts')).status).toBe(401)
  })

  it('apply filters literally', async () => {
    expect(await total('?chain=base')).toBe(10)
    expect(await total('?status=anchored')).toBe(21)
    expect(await total('?status=failed')).toBe(0)
    expect(await total('?reference=_1')).toBe(11)
    expect(await total('?reference=%25')).toBe(21)
    expect(await total('?reference=order%25')).toBe(0)
    const today = new Date().toISOString().slice(0, 10)
    expect(await total(`?since=${today}&until=${today}`)).toBe(21)
    expect(await total('?until=2020-01-01T00:00:00Z')).toBe(0)
  })

  it.each([
    '?page=0',
    '?page_size=201',
    '?page=x',
    '?status=done',
    '?since=yesterday',
    '?since=2026-02-30',
    '?cursor=1',
    '?chain=%00',
    '?scope=theirs',
    '?chain=a&chain=b',
  ])('refuse %s with 422', async query => {
    const { status, json } = await service.api.call('GET', `/v1/receipts${query}`, { key: mine.key })
    expect([status, json.detail[0].loc[0]]).toEqual([422, 'query'])
  })

  it('continue from a cursor, with the same filters, over GraphQL', async () => {
    const query = `query ($after: String) { receipts(first: 8, after: $after, filter: { chains: ["polygon"] }) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { id chain } } } }`
    const ids: string[] = []
    let after: string | null = null
    do {
      const { data } = await service.api.graphql(query, { key: mine.key, variables: { after } })
      expect(data.receipts.totalCount).toBe(11)
      ids.push(...data.receipts.edges.map((edge: { node: { id: string } }) => edge.node.id))
      after = data.receipts.pageInfo.hasNextPage ? data.receipts.pageInfo.endCursor : null
    } while (after !== null)
    expect(new Set(ids).size).toBe(11)
  })
})

it('an amount behind a relation keeps all its digits', async () => {
  const { key } = await service.api.project('Exact')
  const amount = '12345678901234567890.123456789012345678'
  const reference = 'with "quotes" and 1.000000000000000000'
  const { json } = await service.api.record(key, { amount, reference })
  await service.api.anchored(json.receipt_id)
  await service.api.call('POST', '/v1/iso/refund', { key, body: { original_receipt_id: json.receipt_id } })
  const query = 'query ($id: ID!) { receipt(id: $id) { refunds { nodes { amount refundOf { amount reference } } } } }'
  const { data } = await service.api.graphql(query, { variables: { id: json.receipt_id }, key })
  expect(data.receipt.refunds.nodes).toEqual([{ amount, refundOf: { amount, reference } }])
})
