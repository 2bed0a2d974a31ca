// A list of receipts has those that meet its filter, in its order, as an oracle picks them from the same rows.
import { Decimal } from 'decimal.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Random, randomFrom } from '../kit/documents/random.ts'
import type { Fact } from '../kit/groups/oracle.ts'
import { fillWorld, type World } from '../kit/groups/world.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'
import { proof, sized } from '../kit/size.ts'

type Condition = { filter: Record<string, unknown>; meets: (fact: Fact) => boolean }

let service: Service
let mine: { id: string; key: string }
let other: { id: string; key: string }
let world: World
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  mine = await service.api.project('Mine')
  other = await service.api.project('Other')
  world = await fillWorld(service.app.pool, [mine.id, other.id], 400, 11)
  await service.app.pool.query('analyze')
})
afterAll(() => service.stop())

const within = (value: number | null, since?: number, until?: number) =>
  value !== null && (since === undefined || value >= since) && (until === undefined || value <= until)
const fold = (text: string) => text.toLowerCase()

/** Each member of the filter, with values of the rows and some that no row has. */
function conditionsOf(random: Random): Record<string, () => Condition> {
  const fact = () => random.pick(world.facts)
  const one =
    <T>(name: string, of: (fact: Fact) => T, shown = of, odd: T[] = []) =>
    () => {
      const facts = Array.from({ length: 1 + random.below(2) }, fact)
      const values = [...new Set([...facts.map(of), ...random.some(odd, 1)])]
      const filter = { [name]: [...new Set([...facts.map(shown), ...random.some(odd, 1)])] }
      return { filter, meets: (fact: Fact) => values.includes(of(fact)) }
    }
  const part = (text: string) => {
    const letters = [...text]
    const from = random.below(letters.length)
    return (
      letters
        .slice(from, from + 1 + random.below(6))
        .join('')
        .trim() || letters.join('')
    )
  }
  const range = (name: 'createdAt' | 'anchoredAt') => () => {
    const [a, b] = [fact().createdAt, fact().createdAt].sort((a, b) => a - b) as [number, number]
    const [since, until] = [random.chance(0.8) ? a : undefined, random.chance(0.8) ? b : undefined]
    const text = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())
    return {
      filter: { [name]: { since: text(since), until: text(until) } },
      meets: (fact: Fact) => (since === undefined && until === undefined) || within(fact[name], since, until),
    }
  }
  const flag = (name: string, of: (fact: Fact) => boolean) => () => {
    const value = random.chance(0.5)
    return { filter: { [name]: value }, meets: (fact: Fact) => of(fact) === value }
  }
  return {
    statuses: () => {
      const statuses = [fact().status, fact().status]
      const filter = { statuses: statuses.map(status => status.toUpperCase()) }
      return { filter, meets: ({ status }) => statuses.includes(status) }
    },
    chains: one(
      'chains',
      ({ chainKey }) => chainKey,
      ({ chain }) => chain,
    ),
    currencies: one('currencies', ({ currency }) => currency, undefined, ['none']),
    senderWallets: one(
      'senderWallets',
      ({ senderKey }) => senderKey,
      ({ sender }) => sender,
    ),
    receiverWallets: one(
      'receiverWallets',
      ({ receiverKey }) => receiverKey,
      ({ receiver }) => receiver,
    ),
    wallets: () => {
      const { senderKey } = fact()
      const meets = (fact: Fact) => fact.senderKey === senderKey || fact.receiverKey === senderKey
      return { filter: { wallets: [senderKey] }, meets }
    },
    reference: () => {
      const text = part(fact().reference)
      const { reference } = fact()
      return random.pick<() => Condition>([
        () => ({ filter: { reference: { eq: reference } }, meets: fact => fact.reference === reference }),
        () => ({ filter: { reference: { contains: text } }, meets: fact => fact.reference.includes(text) }),
        () => ({ filter: { reference: { startsWith: text } }, meets: fact => fact.reference.startsWith(text) }),
        () => {
          const upper = random.chance(0.5) ? text.toUpperCase() : text.toLowerCase()
          const meets = (fact: Fact) => fold(fact.reference).includes(fold(upper))
          return { filter: { reference: { containsIgnoreCase: upper } }, meets }
        },
        () => {
          const start = reference.slice(0, 2).trim()
          const filter = { reference: { startsWith: start, containsIgnoreCase: text } }
          return {
            filter,
            meets: fact => fact.reference.startsWith(start) && fold(fact.reference).includes(fold(text)),
          }
        },
      ])()
    },
    settlementTx: () => {
      const { id } = fact()
      return {
        filter: { settlementTx: `tx${id}` },
        meets: fact => fact.id === id && !(fact.isRefund && fact.isSettled),
      }
    },
    bundleHash: () => {
      const hash = fact().bundleHash ?? `0x${'0'.repeat(64)}`
      return { filter: { bundleHash: hash }, meets: fact => fact.bundleHash === hash }
    },
    anchorTx: () => {
      const hash = fact().anchorTx ?? `0x${'0'.repeat(64)}`
      return { filter: { anchorTx: hash }, meets: fact => fact.anchorTx === hash }
    },
    amount: () => {
      const min = fact().amount
      return { filter: { amount: { min } }, meets: ({ amount }) => new Decimal(amount).gte(min) }
    },
    createdAt: range('createdAt'),
    anchoredAt: range('anchoredAt'),
    hasRefund: flag('hasRefund', ({ hasRefund }) => hasRefund),
    isRefund: flag('isRefund', ({ isRefund }) => isRefund),
    isSettled: flag(
      'isSettled',
      ({ isSettled, settlementStatus }) => isSettled && !['mismatch', 'not_found'].includes(settlementStatus ?? ''),
    ),
    settlementStatuses: () => {
      const { settlementStatus } = fact()
      const named = settlementStatus ?? 'reverted'
      return {
        filter: { settlementStatuses: [named.toUpperCase()] },
        meets: fact => fact.settlementStatus === named,
      }
    },
    complianceDecision: () => {
      const { decision } = fact()
      return { filter: { complianceDecision: decision.toUpperCase() }, meets: fact => fact.decision === decision }
    },
    payment: () => {
      const payer = world.facts.find(fact => fact.payer !== null)?.payer
      return random.pick<() => Condition>([
        () => ({ filter: { payment: { payers: [payer] } }, meets: fact => fact.payer === payer }),
        () => ({ filter: { payment: { types: ['FX_LOOKUP'] } }, meets: fact => fact.payer !== null }),
        () => ({ filter: { payment: { types: ['REFUND'] } }, meets: () => false }),
      ])()
    },
    anchors: () => {
      const status = random.pick(['waiting', 'external', 'sent', 'included', 'safe', 'final'])
      const chain = random.pick(['local', 'own'])
      return random.pick<() => Condition>([
        () => ({
          filter: { anchors: { chains: [chain] } },
          meets: fact => fact.anchors.some(anchor => anchor.chain === chain),
        }),
        () => ({
          filter: { anchors: { chains: [chain], statuses: [status.toUpperCase()] } },
          meets: fact => fact.anchors.some(anchor => anchor.chain === chain && anchor.status === status),
        }),
      ])()
    },
    artifacts: () => {
      const type = random.pick(['pain.001', 'pain.002', 'evidence'])
      const name = type === 'evidence' ? 'EVIDENCE' : type.replace('.', '_').toUpperCase()
      return { filter: { artifacts: { types: [name] } }, meets: fact => fact.artifacts.includes(type) }
    },
    projectId: () => {
      const { projectId } = fact()
      return { filter: { projectId }, meets: fact => fact.projectId === projectId }
    },
  }
}

/** Up to so many conditions that hold together. */
function together(random: Random, most: number): Condition {
  const conditions = conditionsOf(random)
  const names = new Set(random.some(Object.keys(conditions), most))
  const chosen = [...names].map(name => (conditions[name] as () => Condition)())
  return {
    filter: Object.assign({}, ...chosen.map(({ filter }) => filter)),
    meets: fact => chosen.every(({ meets }) => meets(fact)),
  }
}

function drawn(seed: number) {
  const random = randomFrom(seed)
  const own = together(random, 3)
  const or = random.chance(0.25) ? Array.from({ length: 1 + random.below(3) }, () => together(random, 2)) : null
  const not = random.chance(0.25) ? together(random, 2) : null
  const filter = { ...own.filter, ...(or && { or: or.map(({ filter }) => filter) }), ...(not && { not: not.filter }) }
  const meets = (fact: Fact) =>
    own.meets(fact) && (or === null || or.some(({ meets }) => meets(fact))) && (not === null || !not.meets(fact))
  const field = random.pick(['CREATED_AT', 'ANCHORED_AT', 'BOOKED_AT', 'AMOUNT', 'REFERENCE', null])
  const direction = random.pick(['ASC', 'DESC'])
  return { filter, meets, field, direction, isAdmin: random.chance(0.3) }
}

const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function expected({ meets, field, direction, isAdmin, filter }: ReturnType<typeof drawn>): string[] {
  const { since, until } =
    (filter as { anchoredAt?: { since?: string | null; until?: string | null } }).anchoredAt ?? {}
  const by = field ?? (since || until ? 'ANCHORED_AT' : 'CREATED_AT')
  const sign = field === null || direction === 'DESC' ? -1 : 1
  const compare: Record<string, (a: Fact, b: Fact) => number> = {
    CREATED_AT: (a, b) => a.createdAt - b.createdAt,
    ANCHORED_AT: (a, b) => Number(a.anchoredAt) - Number(b.anchoredAt),
    BOOKED_AT: (a, b) => Number(a.bookedAt) - Number(b.bookedAt),
    AMOUNT: (a, b) => new Decimal(a.amount).cmp(b.amount),
    REFERENCE: (a, b) => inBytes(a.reference, b.reference),
  }
  return world.facts
    .filter(fact => (isAdmin || fact.projectId === mine.id) && meets(fact))
    .filter(fact => (by === 'ANCHORED_AT' ? fact.anchoredAt : by === 'BOOKED_AT' ? fact.bookedAt : 0) !== null)
    .sort((a, b) => sign * (compare[by]?.(a, b) || inBytes(a.id, b.id)))
    .map(({ id }) => id)
}

const query = `query ($filter: ReceiptFilter, $orderBy: ReceiptOrder, $after: String) {
  receipts(first: 200, after: $after, filter: $filter, orderBy: $orderBy) { totalCount pageInfo { hasNextPage endCursor } nodes { id network } } }`

proof('lists are what their rows say, for any conditions and orders', async () => {
  const questions = Array.from({ length: sized(300, 5_000) }, (_, seed) => drawn(seed + 1))
  const networks = new Map(world.facts.map(({ id, network }) => [id, network]))
  const reached = new Set<string>()
  let found = 0
  for (const [index, question] of questions.entries()) {
    const { filter, field, direction, isAdmin } = question
    const variables = { filter, ...(field && { orderBy: { field, direction } }) }
    const key = isAdmin ? adminKey : mine.key
    const ids: string[] = []
    for (let after: string | null = null; ; ) {
      const { data, errors } = await service.api.graphql(query, { key, variables: { ...variables, after } })
      expect({ filter, errors }).toEqual({ filter, errors: undefined })
      const nodes: { id: string; network: string | null }[] = data.receipts.nodes
      ids.push(...nodes.map(({ id }) => id))
      for (const { id, network } of nodes) expect(network).toBe(networks.get(id))
      const want = expected(question)
      if (!data.receipts.pageInfo.hasNextPage) {
        expect({ index, variables, total: data.receipts.totalCount, ids }).toEqual({
          index,
          variables,
          total: want.length,
          ids: want,
        })
        break
      }
      after = data.receipts.pageInfo.endCursor
    }
    for (const name of Object.keys(filter)) if (ids.length > 0) reached.add(name)
    found += ids.length
  }
  expect([...reached].sort()).toEqual([...Object.keys(conditionsOf(randomFrom(1))), 'or', 'not'].sort())
  expect(found).toBeGreaterThan(questions.length)
})

it.each([
  ['no condition of several', '{ or: [] }'],
  ['more than five conditions', `{ or: [${'{ isRefund: true },'.repeat(6)}] }`],
  ['a payment without a condition', '{ payment: {} }'],
  [
    'a range in another condition that ends before it begins',
    '{ not: { createdAt: { since: "2026-01-03", until: "2026-01-01" } } }',
  ],
])('%s is refused', async (_, filter) => {
  const { errors } = await service.api.graphql(`{ receipts(filter: ${filter}) { nodes { id } } }`, { key: mine.key })
  expect(errors).toMatchObject([{ path: ['receipts'], extensions: { code: 'validation_failed' } }])
})

it('an empty condition of several leaves nothing out, also where resolvers read the list', async () => {
  const filter = '{ or: [{}, { isSettled: false }] }'
  const query = `{ receipts(filter: ${filter}) { totalCount } me { project { config { __typename }
    receipts(first: 200, filter: ${filter}) { nodes { id } pageInfo { hasNextPage } } } } }`
  const { data } = await service.api.graphql(query, { key: mine.key })
  const all = world.facts.filter(({ projectId }) => projectId === mine.id).length
  expect(data.receipts.totalCount).toBe(all)
  expect(data.me.project.receipts.nodes).toHaveLength(Math.min(all, 200))
})

it('letters of all scripts are found in either case, as the database folds them', async () => {
  const { rows } = await service.app.pool.query<{ letter: string; key: string }>(
    `select chr(n) as letter, search_key(chr(n)) as key from generate_series(128, 70000) as n where n not between 55296 and 57343`,
  )
  const { searchKey } = await import('../../src/core/text-filter.ts')
  const off = rows.filter(({ letter, key }) => searchKey(letter) !== key)
  // The two know different versions of Unicode.
  expect(off.length).toBeLessThan(60)
  for (const letter of 'ÄßΣςİЁЖԱღ注テＡ') expect(searchKey(letter)).toBe(rows.find(row => row.letter === letter)?.key)
})
