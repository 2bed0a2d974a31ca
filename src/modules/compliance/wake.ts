// Enqueues a round for each provider whose checks wait without one: graphile-worker can lose a job that is added under
// a key at the very moment a worker locks the job of that key.
import type { App } from '../../kit/context.ts'
import { inTransaction } from '../../kit/transaction.ts'
import { plannedJob } from './store.ts'

// A round in progress needs time to end: it then schedules the next round.
const patience = '60 seconds'

export async function wakeCompliance(app: App): Promise<void> {
  const { rows } = await app.pool.query<{ provider: string }>(
    `select distinct provider from compliance_checks where retry_at < now() - interval '${patience}'
     and not exists (select from graphile_worker._private_jobs where key = 'compliance:' || provider)`,
  )
  if (rows.length > 0)
    await inTransaction(app, async tx => tx.job(...rows.map(({ provider }) => plannedJob(provider, 0))))
}
