// Counts the jobs that this process runs.
import { Counter, Histogram } from 'prom-client'
import { longTimes, processMetrics } from '../core/process-metrics.ts'
import { pipeline } from './pipeline.ts'
import { regularTasks } from './regular.ts'

const durations = new Histogram({
  name: 'quittance_job_duration_seconds',
  help: 'Time of a run of a job, whatever its end.',
  labelNames: ['task'],
  buckets: longTimes,
  registers: [processMetrics],
})
const failures = new Counter({
  name: 'quittance_job_failures_total',
  help: 'Runs of jobs that failed. A failed job runs again until it succeeds.',
  labelNames: ['task'],
  registers: [processMetrics],
})
// A counter that begins at its first failure shows no rise.
for (const { name } of [...Object.values(pipeline), ...regularTasks]) failures.inc({ task: name }, 0)

export async function measured(task: string, run: () => Promise<void>): Promise<void> {
  const began = performance.now()
  try {
    await run()
  } catch (error) {
    failures.inc({ task })
    throw error
  } finally {
    durations.observe({ task }, (performance.now() - began) / 1_000)
  }
}
