// Counts the connections of a pool of PostgreSQL, who waits for one, and how long.
import type pg from 'pg'
import { Gauge, Histogram } from 'prom-client'
import { processMetrics, shortTimes } from '../core/process-metrics.ts'

const pools = new Map<string, pg.Pool>()

new Gauge({
  name: 'quittance_database_pool_connections',
  help: 'Connections of this process to PostgreSQL, by pool and by what they do.',
  labelNames: ['pool', 'state'],
  registers: [processMetrics],
  collect() {
    for (const [pool, { totalCount, idleCount }] of pools) {
      this.set({ pool, state: 'idle' }, idleCount)
      this.set({ pool, state: 'busy' }, totalCount - idleCount)
    }
  },
})
new Gauge({
  name: 'quittance_database_pool_waiting',
  help: 'Callers that wait for a connection of the pool.',
  labelNames: ['pool'],
  registers: [processMetrics],
  collect() {
    for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount)
  },
})
const acquired = new Histogram({
  name: 'quittance_database_pool_acquire_seconds',
  help: 'Time until a caller has a connection of the pool.',
  labelNames: ['pool'],
  buckets: shortTimes,
  registers: [processMetrics],
})

/** Measures the pool under this name, in place of an earlier one with it. */
export function measurePool(name: string, pool: pg.Pool): void {
  pools.set(name, pool)
  const times = acquired.labels(name)
  const connect = pool.connect.bind(pool)
  const measured = (callback?: Parameters<typeof connect>[0]) => {
    const began = performance.now()
    const got = () => times.observe((performance.now() - began) / 1_000)
    if (callback === undefined) return connect().finally(got)
    connect((error, client, release) => {
      got()
      callback(error, client, release)
    })
  }
  Object.assign(pool, { connect: measured })
}
