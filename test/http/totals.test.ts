// The totals of lists of receipts, through both doors: those that come from counters, and those that are counted.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { adminKey, type Service, startService } from '../kit/service.ts'

type Filter = {
  statuses?: string[]
  chains?: string[]
  projectId?: string
  currencies?: string[]
  wallets?: string[]
  hasRefund?: boolean
}

const wallets = ['1', '2', '3', '4'].map(digit => `0x${digit.repeat(40)}`)

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }

beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  mine = await service.api.project('Mine')
  other = await service.api.project('Other')
  const recorded = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      service.api.record(n % 3 ? mine.key : other.key, {
        chain: n % 2 ? 'base' : 'flare',
        currency: n % 5 ? 'USDC' : 'EURC',
        // Also between two of them, and from one to itself.
        sender_wallet: wallets[n % 4] ?? '',
        receiver_wallet: wallets[Math.floor(n / 4) % 4] ?? '',
      }),
    ),
  )
  const ids = recorded.map(({ json }) => json.receipt_id)
  const move = (some: string[], status: string) =>
    service.app.pool.query(
      `update receipts set status = $2::receipt_status, anchored_at = case when $2::text = 'anchored' then now() end where id = any($1::uuid[])`,
      [some, status],
    )
  await move(ids.slice(0, 20), 'anchored')
  await move(ids.slice(18, 24), 'failed')
  const body = { original_receipt_id: ids[1] }
  expect((await service.api.call('POST', '/v1/iso/refund', { key: mine.key, body })).status).toBe(200)
  const retry = 'mutation ($id: ID!) { retryReceipt(input: { receiptId: $id }) { receipt { id } } }'
  const { errors } = await service.api.graphql(retry, { key: mine.key, variables: { id: ids[20] } })
  expect(errors).toBeUndefined()
})
afterEach(() => vi.useRealTimers())
afterAll(() => service.stop())

/** Counts the rows themselves. */
async function truth({ statuses, chains, projectId, currencies, wallets, hasRefund }: Filter, owner: string | null) {
  const { rows } = await service.app.pool.query(
    `select count(*)::int as count from receipts r where ($1::uuid is null or project_id = $1)
       and ($2::uuid is null or project_id = $2) and ($3::text[] is null or upper(status::text) = any($3))
       and ($4::text[] is null or chain = any($4)) and ($5::text[] is null or currency = any($5))
       and ($6::boolean is null or exists (select from receipts where refund_of_id = r.id) = $6)
       and ($7::text[] is null or sender_wallet = any($7) or receiver_wallet = any($7))`,
    [owner, projectId, statuses, chains, currencies, hasRefund, wallets],
  )
  return rows[0].count
}

async function total(filter: Filter, key: string, more = ''): Promise<number> {
  const query = `query ($filter: ReceiptFilter) { receipts(filter: $filter${more}) { totalCount } }`
  const { data, errors } = await service.api.graphql(query, { key, variables: { filter } })
  expect(errors).toBeUndefined()
  return data.receipts.totalCount
}

it('are those of the rows, whatever the filter and the caller', async () => {
  const filters: Filter[] = [
    {},
    { statuses: ['ANCHORED'] },
    { statuses: ['FAILED', 'PENDING'] },
    { chains: ['base'] },
    { chains: ['base', 'unknown'], statuses: ['ANCHORED', 'AWAITING_ANCHOR'] },
    { projectId: other.id },
    { projectId: mine.id, chains: ['flare'] },
    { currencies: ['EURC'] },
    { chains: ['flare'], currencies: ['EURC'] },
    { hasRefund: true },
    { hasRefund: false },
    { hasRefund: false, statuses: ['ANCHORED'] },
    { wallets: wallets.slice(0, 1) },
    { wallets: wallets.slice(0, 2) },
    { wallets, hasRefund: true },
    { wallets: wallets.slice(1), hasRefund: false, chains: ['base'] },
  ]
  const callers = [
    { owner: mine.id, key: mine.key },
    { owner: other.id, key: other.key },
    { owner: null, key: adminKey },
  ]
  for (const filter of filters) {
    for (const { owner, key } of callers) {
      expect([filter, owner, await total(filter, key)]).toEqual([filter, owner, await truth(filter, owner)])
    }
    const query = 'query ($filter: ReceiptFilter) { me { project { receipts(filter: $filter) { totalCount } } } }'
    const { data } = await service.api.graphql(query, { key: mine.key, variables: { filter } })
    expect(data.me.project.receipts.totalCount).toBe(await truth(filter, mine.id))
  }
  const { json } = await service.api.call('GET', '/v1/receipts?status=anchored&chain=base', { key: mine.key })
  expect(json.total).toBe(await truth({ statuses: ['ANCHORED'], chains: ['base'] }, mine.id))
  const anchored = await total({}, mine.key, ', orderBy: { field: ANCHORED_AT, direction: DESC }')
  const { rows } = await service.app.pool.query(
    'select count(*)::int as count from receipts where project_id = $1 and anchored_at is not null',
    [mine.id],
  )
  expect(anchored).toBe(rows[0].count)
})

it('from counters cost less than counted ones', async () => {
  // The clock is stopped, because each minute has its own quota.
  vi.useFakeTimers({ toFake: ['Date'] })
  const remaining = async (query: string) => {
    const { extensions } = await service.api.graphql(query, { key: mine.key })
    return extensions.cost.remaining
  }
  const costOf = async (filter: string) => {
    const before = await remaining('{ __typename }')
    return before - (await remaining(`{ receipts(filter: ${filter}) { totalCount } }`))
  }
  const restCost = async (query: string) => {
    const before = await remaining('{ __typename }')
    const { headers } = await service.api.call('GET', `/v1/receipts?page_size=1${query}`, { key: mine.key })
    expect(headers.get('ratelimit')).toContain('r=')
    return before - (await remaining('{ __typename }'))
  }
  expect(await restCost('')).toBeLessThan(await restCost('&since=2020-01-01'))
  const [counters, rows] = [await costOf('{ statuses: [ANCHORED] }'), await costOf('{ hasRefund: false }')]
  expect(counters).toBeLessThan(rows)
})
