// What waits for a provider and has no round planned is given one: graphile-worker can lose a job that is asked for by its key
// at the very moment the same is taken up.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { inTransaction } from '../../kit/transaction.ts'

// A round that is under way plans the next at its end.
const patience = '60 seconds'

export async function wakeCompliance(app: App): Promise<void> {
  const { rows } = await app.pool.query<{ provider: string }>(
    `select distinct provider from compliance_checks where retry_at < now() - interval '${patience}'
     and not ${jobs.askCompliance.isQueued('provider')}`,
  )
  if (rows.length > 0)
    await inTransaction(app, async tx => tx.job(...rows.map(({ provider }) => jobs.askCompliance({ provider }))))
}
