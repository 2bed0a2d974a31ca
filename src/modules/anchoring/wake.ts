// Enqueues the job of each anchor and transaction that waits without one: graphile-worker can lose a job that is added
// under a key at the very moment a worker locks the job of that key.
import type { App } from '../../kit/context.ts'
import { inTransaction } from '../../kit/transaction.ts'
import { confirmJob, laneJob } from './chains.ts'

// The job of a younger row may be in a transaction that is not committed yet.
const patience = '10 seconds'

type Followed = { id: string; chain: string; projectId: string | null }

export async function wakeAnchoring(app: App): Promise<void> {
  const [{ rows: lanes }, { rows: transactions }] = await Promise.all([
    app.pool.query<{ chain: string }>(
      `select distinct chain from anchors where state = 'waiting' and created_at < now() - interval '${patience}'
       and not exists (select from graphile_worker._private_jobs where key = 'anchor:' || chain)`,
    ),
    app.pool.query<Followed>(
      `select id, chain, project_id as "projectId" from anchor_transactions t
       where state = 'signed' and created_at < now() - interval '${patience}'
       and (project_id is null or exists (select from anchors where transaction_id = t.id and state = 'sent'))
       and not exists (select from graphile_worker._private_jobs where key = 'confirm:' || t.id)`,
    ),
  ])
  if (lanes.length + transactions.length === 0) return
  app.log.warn({ lanes: lanes.length, transactions: transactions.length }, 'missing anchoring jobs are enqueued again')
  await inTransaction(app, async tx =>
    tx.job(...lanes.map(({ chain }) => laneJob(chain)), ...transactions.map(row => confirmJob(app, row))),
  )
}

/** Ends the pauses after failures, when the service starts: the operator may have corrected the configuration. */
export const endPauses = ({ pool }: App) =>
  pool.query(
    `select count(*) from graphile_worker.reschedule_jobs(array(
       select id from graphile_worker._private_jobs where key like 'anchor:%' and locked_by is null and run_at > now()
     ), run_at := now())`,
  )
