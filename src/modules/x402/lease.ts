// Payment leases: a process that works on a payment renews its lease every two seconds, however long the work takes.
// When that process dies, the next request for the payment takes over within seconds.

import { setTimeout as sleep } from 'node:timers/promises'
import { outOfScope } from '../../core/scope.ts'
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'

export const leaseSeconds = 6
const renewEveryMs = 2_000
/** For how long a request waits for a payment that another one processes. */
export const turnPatienceMs = 10_000
const elsewhereMs = 150

type Leased = { id: string; leaseId: string | null }

/**
 * The leases that this process renews: `held` maps each to its payment, `ends` maps each payment to a promise of the
 * end of its processing in this process.
 */
const holding = perApp(app => {
  const held = new Map<string, string>()
  const ends = new Map<string, Promise<void>>()
  let due = false
  const tick = () => {
    due = false
    if (held.size === 0) return
    renew(app, [...held]).catch((error: unknown) => app.log.error({ err: error }, 'leases could not be renewed'))
    start()
  }
  const start = () => {
    if (!due) outOfScope(() => setTimeout(tick, renewEveryMs).unref())
    due = true
  }
  return { held, ends, start }
})

const renew = ({ pool }: Pick<App, 'pool'>, leases: [leaseId: string, id: string][]) =>
  pool.query(
    `update payments p set lease_until = now() + interval '${leaseSeconds} seconds'
     from unnest($1::uuid[], $2::uuid[]) as held(id, lease_id) where p.id = held.id and p.lease_id = held.lease_id`,
    [leases.map(([, id]) => id), leases.map(([leaseId]) => leaseId)],
  )

/** Releases a lease, unless another process has taken it over. A lease that cannot be released expires. */
const releaseLease = ({ pool, log }: App, id: string, leaseId: string) =>
  pool
    .query('update payments set lease_until = null, lease_id = null where id = $1 and lease_id = $2', [id, leaseId])
    .catch((error: unknown) => log.warn({ err: error, payment: id }, 'a lease could not be given back'))

/** To be called when a statement has ended the lease of `payment`: the lease is not renewed or released any more. */
export const leaseEnded = (app: App, { leaseId }: Leased): boolean =>
  leaseId !== null && holding(app).held.delete(leaseId)

/** Runs `work` while the lease of `payment` is renewed, and then releases the lease. */
export async function underLease<T>(app: App, payment: Leased, work: () => Promise<T>): Promise<T> {
  const { id, leaseId } = payment
  if (leaseId === null) throw new Error('the payment is not leased')
  const { held, ends, start } = holding(app)
  const end = Promise.withResolvers<void>()
  held.set(leaseId, id)
  ends.set(id, end.promise)
  start()
  try {
    return await work()
  } finally {
    if (held.delete(leaseId)) await releaseLease(app, id, leaseId)
    if (ends.get(id) === end.promise) ends.delete(id)
    end.resolve()
  }
}

/** Waits until this process ends its work on a payment, or briefly for another process; at most `mostMs`. */
export async function turnOf(app: App, id: string, mostMs: number): Promise<void> {
  const end = holding(app).ends.get(id)
  await Promise.race([
    end,
    sleep(end === undefined ? Math.min(mostMs, elsewhereMs) : mostMs, undefined, { ref: false }),
  ])
}
