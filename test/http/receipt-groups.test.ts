// Receipts in groups are those that an oracle adds up from the same rows: any keys, filters, orders and pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Random, randomFrom } from '../kit/documents/random.ts'
import { type By, type Fact, groupsOf, type Order, type Time } from '../kit/groups/oracle.ts'
import { fillWorld, type World } from '../kit/groups/world.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { sized } from '../kit/size.ts'

type Group = ReturnType<typeof groupsOf>[number]

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }
let world: World
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  mine = await service.api.project('Mine')
  other = await service.api.project('Other')
  world = await fillWorld(service.app.pool, [mine.id, other.id], 400, 7)
})
afterAll(() => service.stop())

const fields = `{ totalCount pageInfo { hasNextPage endCursor } nodes {
  key { time { start end date } status chain network currency sender receiver counterparty complianceDecision settlementStatus agent { id } project { id } }
  count
  sums { currency count paymentCount gross refundCount refunded announcedRefundCount announcedRefunds deniedCount denied net min max average }
  fiat { currency count amount }
  anchoring { p50 p95 p99 }
} }`
// These are in the counters; the others need the receipts.
const counted = fields.replace(/ min max|fiat \{.*|anchoring \{.*/g, '')

const query = (
  selection: string,
) => `query ($filter: ReceiptFilter, $by: [ReceiptGrouping!], $orderBy: ReceiptStatsOrder, $first: Int, $after: String) {
  receiptStats(filter: $filter, by: $by, orderBy: $orderBy, first: $first, after: $after) ${selection} }`

async function ask(variables: Record<string, unknown>, selection = fields, key = mine.key) {
  const { data, errors } = await service.api.graphql(query(selection), { key, variables })
  expect(errors).toBeUndefined()
  return data.receiptStats
}

/** PostgreSQL and JavaScript round percentiles differently in the last digits. */
const rounded = ({ anchoring, ...group }: Group) => ({
  ...group,
  ...(anchoring && {
    anchoring: Object.fromEntries(
      Object.entries(anchoring).map(([name, value]) => [name, value === null ? null : Number(value.toFixed(6))]),
    ),
  }),
})

type Filter = {
  filter: Record<string, unknown>
  keeps: (fact: Fact) => boolean
  range?: { since?: number; until?: number }
}

const created = (since: string | null, until: string | null): Filter => {
  const [from, to] = [since && Date.parse(since), until && Date.parse(until) + (until.length === 10 ? 86_399_999 : 0)]
  return {
    filter: { createdAt: { since, until } },
    keeps: ({ createdAt }) => (from === null || createdAt >= Number(from)) && (to === null || createdAt <= Number(to)),
    range: { ...(from && { since: from }), ...(to && { until: to }) } as { since?: number; until?: number },
  }
}
const filters: Filter[] = [
  { filter: {}, keeps: () => true },
  { filter: { statuses: ['PENDING', 'FAILED'] }, keeps: ({ status }) => ['pending', 'failed'].includes(status) },
  { filter: { chains: ['base'] }, keeps: ({ chainKey }) => chainKey === 'eip155:8453' },
  { filter: { currencies: ['USDC', 'Ünit'] }, keeps: ({ currency }) => ['USDC', 'Ünit'].includes(currency) },
  {
    filter: { chains: ['Ein Netz'], statuses: ['ANCHORED'] },
    keeps: ({ chain, status }) => chain === 'Ein Netz' && status === 'anchored',
  },
  { filter: { amount: { min: '1' } }, keeps: ({ amount }) => Number(amount) >= 1 },
  { filter: { senderWallets: [`0x${'A'.repeat(40)}`] }, keeps: ({ senderKey }) => senderKey.startsWith('0xa') },
  {
    filter: { anchoredAt: { since: '2026-04-01' } },
    keeps: ({ anchoredAt }) => anchoredAt !== null && anchoredAt >= Date.parse('2026-04-01'),
  },
  created('2026-03-29', '2026-10-25'),
  created('2026-03-28T23:00:00Z', '2026-10-31T22:59:59.999Z'),
  created('2026-03-28T18:30:00Z', null),
  created(null, '2026-10-25T00:59:59.999Z'),
  created('2026-03-29T00:00:00.001Z', '2026-11-01T05:00:00Z'),
]

/** From one receipt to another, to the millisecond, or from the quarter of an hour of one to that of the other. */
function between(random: Random): Filter {
  const quarter = 15 * 60_000
  const times = [random.pick(world.facts).createdAt, random.pick(world.facts).createdAt].sort((a, b) => a - b)
  const [since = 0, until = 0] = random.chance(0.5)
    ? times
    : times.map((time, index) => (Math.floor(time / quarter) + index) * quarter - index)
  return created(new Date(since).toISOString(), new Date(until).toISOString())
}

const zones = [
  ...['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe'],
  ...['America/Havana', 'Africa/Cairo', 'Asia/Beirut', 'Pacific/Kiritimati', 'America/New_York'],
]
const units = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR']
const kinds = [
  'status',
  'chain',
  'currency',
  'sender',
  'receiver',
  'counterparty',
  'complianceDecision',
  'settlementStatus',
  'agent',
  'project',
]

function drawn(seed: number) {
  const random = randomFrom(seed)
  const number = random.below(4)
  const names = kinds.toSorted(() => random.below(2) - 0.5).slice(0, number)
  const by: By[] = names.map(name => ({ [name]: true as const }))
  if (number > 0 && random.chance(0.6)) {
    const of = random.pick(['CREATED_AT', 'CREATED_AT', 'BOOKED_AT', 'ANCHORED_AT'] as const)
    const time: Time = {
      unit: random.pick(units),
      timeZone: random.pick(zones),
      ...(random.chance(0.7) || of !== 'CREATED_AT' ? { of } : {}),
      fill: random.chance(0.3),
    }
    by[random.below(number)] = { time }
  }
  const direction = () => random.pick(['ASC', 'DESC'])
  const orderBy: Order = random.pick<() => Order>([
    () => ({ key: direction() }),
    () => ({ count: direction() }),
    () => ({ sum: { currency: random.pick(['USDC', 'EURC', 'none']), direction: direction() } }),
  ])()
  const filter = random.chance(0.4) ? between(random) : random.pick(filters)
  const first = random.pick([0, 1, 3, 50, 2_000])
  return { by, orderBy, filter, first, offset: random.pick([0, 0, 2, 1_000]), isAdmin: random.chance(0.2), random }
}

function expected({ by, orderBy, filter, isAdmin }: ReturnType<typeof drawn>): Group[] {
  const facts = world.facts.filter(fact => (isAdmin || fact.projectId === mine.id) && filter.keeps(fact))
  const time = by.flatMap(key => ('time' in key && key.time !== (true as never) ? [key.time as Time] : []))[0]
  const range =
    (time?.of ?? 'CREATED_AT') === 'CREATED_AT'
      ? (filter.range ?? {})
      : filter.filter.anchoredAt && time?.of === 'ANCHORED_AT'
        ? { since: Date.parse('2026-04-01') }
        : {}
  return groupsOf(facts, by, orderBy, range)
}

const cursor = (offset: number) => Buffer.from(`offset:${offset}`).toString('base64url')

describe('groups of receipts', () => {
  const seeds = Array.from({ length: sized(200, 3_000) }, (_, index) => index + 1)
  it('are what their rows add up to, for any keys, filter, order and page', async () => {
    const seen = { filled: 0, groups: 0 }
    for (const seed of seeds) {
      const question = drawn(seed)
      const { by, orderBy, filter, first, offset, isAdmin } = question
      const all = expected(question)
      const variables = { by, orderBy, filter: filter.filter, first, ...(offset > 0 && { after: cursor(offset) }) }
      const isFilled = by.some(key => 'time' in key && (key.time as Time).fill)
      if (isFilled && all.length > 10_000) continue
      for (const selection of [fields, counted]) {
        // A large page has no objects.
        const isLarge = first > 50
        const asked = isLarge ? selection.replace('agent { id } project { id }', '') : selection
        const got = await ask(variables, asked, isAdmin ? adminKey : mine.key)
        const page = all.slice(offset, offset + first).map(({ key, ...group }) => {
          const { agent, project, ...others } = key as Record<string, unknown>
          return { ...group, key: isLarge ? others : key }
        })
        const keep = ({ sums, fiat, anchoring, ...group }: Group) =>
          selection === fields
            ? rounded({ ...group, sums, fiat, anchoring })
            : { ...group, sums: sums.map(({ min, max, ...sum }) => sum) }
        expect({
          seed,
          selection,
          nodes: got.nodes.map((group: Group) => (selection === fields ? rounded(group) : group)),
        }).toEqual({
          ...{ seed, selection },
          nodes: page.map(keep),
        })
        expect([seed, got.totalCount, got.pageInfo]).toEqual([
          ...[seed, all.length],
          {
            hasNextPage: all.length > offset + first,
            endCursor: page.length > 0 ? cursor(offset + page.length) : null,
          },
        ])
      }
      seen.groups += all.length
      if (isFilled) seen.filled++
    }
    expect(seen.groups).toBeGreaterThan(seeds.length)
    expect(seen.filled).toBeGreaterThan(0)
  })
})
