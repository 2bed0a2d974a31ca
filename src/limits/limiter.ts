// How much of each limit is used: counted in memory, and added several times a second to the table `rate_windows`,
// which all processes share. A request never waits for the table.
import type { Logger } from 'pino'
import type { Sql } from '../kit/transaction.ts'
import { type Policy, type Quotas, windowMs } from './policy.ts'

const exchangeEveryMs = 250
const subjectsAtMost = 50_000

/** `total` was last read from the table, `sent` is being added to it, `own` is still to be added. */
type Count = { bucket: string; total: number; sent: number; own: number }

export type QuotaState = {
  admitted: boolean
  policy: Policy
  quota: number
  remaining: number
  resetAt: Date
  resetSeconds: number
}

/** `share`: only this part of the quota may be used; the whole unless given. */
export type Charge = { policy: Policy; subject: string; share?: number }

export type Limiter = {
  /** Returns what `consume` would return, and adds nothing. */
  states(charges: readonly Charge[], cost: number): QuotaState[]
  /** Adds `cost` to every charge, unless that would exceed the quota of one. Ignores policies that are switched off. */
  consume(charges: readonly Charge[], cost: number): QuotaState[]
  /** Adds `cost` to every charge, even beyond the quota; a negative cost takes back. */
  note(charges: readonly Charge[], cost: number): void
  stop(): Promise<void>
}

const used = ({ total, sent, own }: Count) => total + sent + own

export function createLimiter(sql: Sql, quotas: Quotas, log: Pick<Logger, 'error' | 'info'>): Limiter {
  const counts = new Map<string, Count>()
  let window = 0
  const unsent = new Set<Count>()
  let timer: NodeJS.Timeout | null = null
  let exchanging = Promise.resolve()
  let stopped = false
  // While the table is unreachable no request is refused: the use in other processes is unknown, and an outage is not
  // the caller's fault.
  let reachable = true

  function countOf(bucket: string): Count {
    const present = counts.get(bucket)
    if (present) return present
    if (counts.size >= subjectsAtMost) forgetOldest()
    const fresh = { bucket, total: 0, sent: 0, own: 0 }
    counts.set(bucket, fresh)
    return fresh
  }

  /** Drops the oldest count. It is in the table by now, and is read from there when its subject returns. */
  function forgetOldest(): void {
    for (const [bucket, count] of counts) {
      counts.delete(bucket)
      unsent.delete(count)
      return
    }
  }

  function enter(present: number): void {
    if (present === window) return
    window = present
    counts.clear()
    unsent.clear()
  }

  function note(count: Count, cost: number): void {
    count.own += cost
    unsent.add(count)
    timer ??= later()
  }

  const later = () =>
    setTimeout(() => {
      exchanging = exchange().finally(() => {
        timer = unsent.size > 0 && !stopped ? later() : null
      })
    }, exchangeEveryMs).unref()

  async function exchange(): Promise<void> {
    if (unsent.size === 0) return
    const sending = [...unsent]
    const of = window
    unsent.clear()
    for (const count of sending) {
      count.sent = count.own
      count.own = 0
    }
    try {
      await add(sql, sending, of)
      if (!reachable) log.info('rate limits are shared between processes again')
      reachable = true
    } catch (error) {
      if (reachable) log.error({ err: error }, 'rate limits cannot be shared between processes: no caller is limited')
      reachable = false
      for (const count of sending) {
        count.own += count.sent
        if (of === window && counts.get(count.bucket) === count) unsent.add(count)
      }
    }
    for (const count of sending) count.sent = 0
  }

  function take(charges: readonly Charge[], cost: number, isNoted: boolean): QuotaState[] {
    const now = Date.now()
    enter(Math.floor(now / windowMs))
    const resetAt = new Date((window + 1) * windowMs)
    const resetSeconds = Math.ceil((resetAt.getTime() - now) / 1000)
    const states: QuotaState[] = []
    const taken: Count[] = []
    let areAllAdmitted = true
    for (const { policy, subject, share = 1 } of charges) {
      const quota = quotas[policy]
      if (quota <= 0) continue
      const count = countOf(`${policy}:${subject}`)
      const left = Math.floor(quota * share) - used(count)
      const admitted = cost <= left || !reachable
      areAllAdmitted &&= admitted
      taken.push(count)
      states.push({ admitted, policy, quota, remaining: Math.max(0, left), resetAt, resetSeconds })
    }
    if (!isNoted || !areAllAdmitted || cost === 0) return states
    for (const count of taken) note(count, cost)
    for (const state of states) state.remaining = Math.max(0, state.remaining - cost)
    return states
  }

  return {
    states: (charges, cost) => take(charges, cost, false),
    consume: (charges, cost) => take(charges, cost, true),
    note(charges, cost) {
      enter(Math.floor(Date.now() / windowMs))
      for (const { policy, subject } of charges) {
        if (quotas[policy] > 0 && cost !== 0) note(countOf(`${policy}:${subject}`), cost)
      }
    },
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      await exchanging
      await exchange()
    },
  }
}

/** Adds these counts to the table, and reads back the totals of all processes. */
async function add(sql: Sql, counts: readonly Count[], window: number): Promise<void> {
  const rows = await sql<{ bucket: string; used: number }>(
    // Sorted by key, so that two processes never deadlock.
    `insert into rate_windows as kept (bucket, "window", used)
     select bucket, $2, used from unnest($1::text[], $3::int[]) as added(bucket, used) order by bucket
     on conflict (bucket, "window") do update set used = kept.used + excluded.used
     returning bucket, used`,
    [counts.map(count => count.bucket), window, counts.map(count => count.sent)],
    'rate-windows',
  )
  const totals = new Map(rows.map(row => [row.bucket, row.used]))
  for (const count of counts) count.total = totals.get(count.bucket) ?? count.total
}

/** Deletes the rows of past windows. */
export async function cleanRateWindows(sql: Sql): Promise<void> {
  await sql('delete from rate_windows where "window" < $1', [Math.floor(Date.now() / windowMs) - 1])
}
