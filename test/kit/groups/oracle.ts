// Groups of receipts, computed from the rows as a person would add them up.
import { Decimal } from 'decimal.js'
import { type Period, periodOf } from './calendar.ts'

/** A receipt, with what belongs to it. Times are in milliseconds. */
export type Fact = {
  id: string
  projectId: string
  chain: string
  network: string | null
  chainKey: string
  amount: string
  currency: string
  sender: string
  senderKey: string
  receiver: string
  receiverKey: string
  reference: string
  status: string
  isRefund: boolean
  isSettled: boolean
  createdAt: number
  anchoredAt: number | null
  bookedAt: number | null
  senderProven: boolean | null
  receiverProven: boolean | null
  decision: string
  agent: string | null
  fiat: { currency: string; amount: string } | null
  bundleHash: string | null
  anchorTx: string | null
  hasRefund: boolean
  anchors: { chain: string; status: string }[]
  artifacts: string[]
  payer: string | null
  /** The result of the check of the payment on its own chain. */
  settlementStatus: string | null
}

export type Time = { unit: string; timeZone?: string; of?: 'CREATED_AT' | 'BOOKED_AT' | 'ANCHORED_AT'; fill?: boolean }
export type By = { time: Time } | Record<string, true>
export type Order = { key?: string; count?: string; sum?: { currency: string; direction: string } }

const Exact = Decimal.clone({ precision: 100, toExpPos: 100, toExpNeg: -100 })
const total = (facts: readonly Fact[]) => facts.reduce((sum, { amount }) => sum.plus(amount), new Exact(0))

const timeOf = (fact: Fact, of: Time['of']) =>
  of === 'BOOKED_AT' ? fact.bookedAt : of === 'ANCHORED_AT' ? fact.anchoredAt : fact.createdAt

function counterparty(fact: Fact): string | null {
  if (fact.senderProven === true && fact.receiverProven !== true) return fact.receiverKey
  return fact.receiverProven === true && fact.senderProven !== true ? fact.senderKey : null
}

/** Returns what receipts of a group have in common, as a text that orders the groups. */
const identities: Record<string, (fact: Fact) => string | null> = {
  status: ({ status }) => status,
  chain: ({ chainKey }) => chainKey,
  currency: ({ currency }) => currency,
  sender: ({ senderKey }) => senderKey,
  receiver: ({ receiverKey }) => receiverKey,
  counterparty,
  complianceDecision: ({ decision }) => decision,
  settlementStatus: ({ settlementStatus }) => settlementStatus,
  agent: ({ agent }) => agent,
  project: ({ projectId }) => projectId,
}

/** Returns the label of a group: the last of the names in bytes. */
const last = (names: string[]) => names.sort().at(-1)
const labels: Record<string, (facts: readonly Fact[]) => unknown> = {
  status: ([fact]) => fact?.status.toUpperCase(),
  chain: facts => last(facts.map(({ chain }) => chain)),
  currency: ([fact]) => fact?.currency,
  sender: facts => last(facts.map(({ sender }) => sender)),
  receiver: facts => last(facts.map(({ receiver }) => receiver)),
  counterparty: facts =>
    counterparty(facts[0] as Fact) === null
      ? null
      : last(facts.map(fact => (fact.senderProven ? fact.receiver : fact.sender))),
  complianceDecision: ([fact]) => fact?.decision.toUpperCase(),
  settlementStatus: ([fact]) => fact?.settlementStatus?.toUpperCase() ?? null,
  agent: ([fact]) => (fact?.agent ? { id: fact.agent } : null),
  project: ([fact]) => ({ id: fact?.projectId }),
}

/** The same percentile as PostgreSQL's `percentile_cont`. */
function percentile(values: number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place))
}

function sumOf(currency: string, facts: readonly Fact[]) {
  const alive = facts.filter(({ status }) => status !== 'failed')
  const payments = alive.filter(({ isRefund }) => !isRefund)
  const refunds = alive.filter(({ isRefund, isSettled }) => isRefund && isSettled)
  const announced = alive.filter(({ isSettled }) => !isSettled)
  const denied = facts.filter(({ status }) => status === 'failed')
  const amounts = payments.map(({ amount }) => new Exact(amount))
  const gross = total(payments)
  return {
    currency,
    count: facts.length,
    paymentCount: payments.length,
    gross: gross.toFixed(),
    refundCount: refunds.length,
    refunded: total(refunds).toFixed(),
    announcedRefundCount: announced.length,
    announcedRefunds: total(announced).toFixed(),
    deniedCount: denied.length,
    denied: total(denied).toFixed(),
    net: gross.minus(total(refunds)).toFixed(),
    min: amounts.length > 0 ? Exact.min(...amounts).toFixed() : null,
    max: amounts.length > 0 ? Exact.max(...amounts).toFixed() : null,
    average: amounts.length > 0 ? gross.div(amounts.length).toDecimalPlaces(18, Decimal.ROUND_HALF_UP).toFixed() : null,
  }
}

const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** `alike`: the receipts that have the keys but for the period. */
type Group = { keys: (string | number)[]; facts: Fact[]; period: Period | null; alike: Fact[] }

/** `range`: of the time by which is grouped, if the filter has one. */
export function groupsOf(
  facts: readonly Fact[],
  by: readonly By[],
  order: Order,
  range: { since?: number; until?: number },
) {
  const isTime = (key: By): key is { time: Time } => 'time' in key && key.time !== (true as never)
  const time = by.find(isTime)?.time
  const zone = time?.timeZone ?? 'UTC'
  const period = (fact: Fact) => periodOf(timeOf(fact, time?.of) ?? 0, time?.unit ?? '', zone)
  const keysOf = (fact: Fact) =>
    by.map(key =>
      isTime(key) ? Date.parse(period(fact).start) : (identities[Object.keys(key)[0] ?? '']?.(fact) ?? ''),
    )
  const chosen = time ? facts.filter(fact => timeOf(fact, time.of) !== null) : facts
  const groups = new Map<string, Group>()
  for (const fact of chosen) {
    const keys = keysOf(fact)
    const name = JSON.stringify(keys)
    const group = groups.get(name) ?? { keys, facts: [], period: time ? period(fact) : null, alike: [] }
    group.facts.push(fact)
    groups.set(name, group)
  }
  if (time?.fill) fill(groups, time, zone, range, by.findIndex(isTime), by.length === 1)
  const gross = ({ facts }: Group, currency: string) =>
    new Exact(
      sumOf(
        currency,
        facts.filter(fact => fact.currency === currency),
      ).gross,
    )
  const byKeys = (a: Group, b: Group) => {
    for (const [index, key] of a.keys.entries()) {
      const other = b.keys[index] as typeof key
      const order = typeof key === 'number' ? key - Number(other) : inBytes(key, String(other))
      if (order !== 0) return order
    }
    return 0
  }
  const sign = (direction: string | undefined) => (direction === 'DESC' ? -1 : 1)
  const { sum } = order
  const sorted = [...groups.values()].sort((a, b) => {
    if (order.count) return sign(order.count) * (a.facts.length - b.facts.length) || byKeys(a, b)
    if (sum) return sign(sum.direction) * gross(a, sum.currency).cmp(gross(b, sum.currency)) || byKeys(a, b)
    return sign(order.key) * byKeys(a, b)
  })
  return sorted.map(group => shown(group, by))
}

function fill(
  groups: Map<string, Group>,
  time: Time,
  zone: string,
  { since, until }: { since?: number; until?: number },
  own: number,
  isAlone: boolean,
) {
  const all = [...groups.values()]
  const starts = all.map(({ keys }) => Number(keys[own]))
  const first = since ?? Math.min(...starts)
  const last = until ?? Math.max(...starts)
  const alike = Map.groupBy(all, ({ keys }) => JSON.stringify(keys.toSpliced(own, 1)))
  if (isAlone) alike.set('[]', all)
  for (let at = first; at <= last; ) {
    const period = periodOf(at, time.unit, zone)
    for (const [others, of] of alike) {
      const keys = JSON.parse(others).toSpliced(own, 0, Date.parse(period.start))
      const name = JSON.stringify(keys)
      const alike = of.flatMap(({ facts }) => facts)
      if (!groups.has(name)) groups.set(name, { keys, facts: [], period, alike })
    }
    at = Date.parse(period.end)
  }
}

function shown({ facts, period, alike }: Group, by: readonly By[]) {
  const names = by.flatMap(key => (Object.keys(key)[0] === 'time' ? [] : [Object.keys(key)[0] ?? '']))
  const of = facts.length > 0 ? facts : alike
  const network = of.find(({ network }) => network !== null)?.network ?? null
  const key = Object.fromEntries([...Object.keys(labels), 'network', 'time'].map(name => [name, null as unknown]))
  for (const name of names) key[name] = labels[name]?.(of)
  if (names.includes('chain')) key.network = network
  key.time = period
  const byCurrency = Map.groupBy(facts, ({ currency }) => currency)
  const payments = facts.filter(({ status, isRefund }) => status !== 'failed' && !isRefund)
  const fiat = Map.groupBy(
    payments.flatMap(fact => (fact.fiat ? [fact.fiat] : [])),
    ({ currency }) => currency,
  )
  const waits = facts.flatMap(({ createdAt, anchoredAt }) =>
    anchoredAt === null ? [] : [Math.max(0, anchoredAt - createdAt) / 1_000],
  )
  return {
    key,
    count: facts.length,
    sums: [...byCurrency.keys()].sort(inBytes).map(currency => sumOf(currency, byCurrency.get(currency) ?? [])),
    fiat: [...fiat.keys()].sort(inBytes).map(currency => {
      const known = fiat.get(currency) ?? []
      const amount = known.reduce((sum, { amount }) => sum.plus(amount), new Exact(0)).toFixed()
      return { currency, count: known.length, amount }
    }),
    anchoring: { p50: percentile(waits, 0.5), p95: percentile(waits, 0.95), p99: percentile(waits, 0.99) },
  }
}
