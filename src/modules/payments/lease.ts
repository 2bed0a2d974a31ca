// Whoever works on a payment holds its lease and says so every two seconds, however long the work takes. When its process
// dies, whoever asks next takes over within moments.
import type { App } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'

export const leaseSeconds = 6
const renewEveryMs = 2_000

type Leased = { id: string; leaseId: string | null }

/** The leases of this process, kept alive: of each, its payment. */
const holding = perApp(app => {
  const held = new Map<string, string>()
  let due = false
  const tick = () => {
    due = false
    if (held.size === 0) return
    renew(app, [...held]).catch((error: unknown) => app.log.error({ err: error }, 'leases could not be renewed'))
    start()
  }
  const start = () => {
    if (!due) setTimeout(tick, renewEveryMs).unref()
    due = true
  }
  return { held, start }
})

const renew = ({ pool }: Pick<App, 'pool'>, leases: [leaseId: string, id: string][]) =>
  pool.query(
    `update payments p set lease_until = now() + interval '${leaseSeconds} seconds'
     from unnest($1::uuid[], $2::uuid[]) as held(id, lease_id) where p.id = held.id and p.lease_id = held.lease_id`,
    [leases.map(([, id]) => id), leases.map(([leaseId]) => leaseId)],
  )

/** One that was lost meanwhile is another's by now; one that cannot be given back ends by itself. */
const giveBack = ({ pool, log }: App, id: string, leaseId: string) =>
  pool
    .query('update payments set lease_until = null, lease_id = null where id = $1 and lease_id = $2', [id, leaseId])
    .catch((error: unknown) => log.warn({ err: error, payment: id }, 'a lease could not be given back'))

/** Runs while the lease that came with `payment` is held, and gives it back. */
export async function underLease<T>(app: App, payment: Leased, work: () => Promise<T>): Promise<T> {
  const { id, leaseId } = payment
  if (leaseId === null) throw new Error('the payment is not leased')
  const { held, start } = holding(app)
  held.set(leaseId, id)
  start()
  try {
    return await work()
  } finally {
    held.delete(leaseId)
    await giveBack(app, id, leaseId)
  }
}
