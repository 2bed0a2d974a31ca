// Counts the calls that were refused with `too_many_requests`, by the limit that had no room.
import { Counter } from 'prom-client'
import { processMetrics } from '../core/process-metrics.ts'

const refusals = new Counter({
  name: 'quittance_limit_refusals_total',
  help: 'Refusals by the limit of RATE_LIMITS that had no room; work: too much work of one kind waits.',
  labelNames: ['limit'],
  registers: [processMetrics],
})

export const countRefusal = (limit: string): void => refusals.inc({ limit })
