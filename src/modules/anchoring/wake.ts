// Enqueues the job of each anchor and transaction that waits without one: graphile-worker can lose a job that is added
// under a key at the very moment a worker locks the job of that key.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { inTransaction } from '../../kit/transaction.ts'
import { confirmJob } from './chains.ts'

// The job of a younger row may be in a transaction that is not committed yet.
const patience = '10 seconds'

type Followed = { id: string; chain: string; projectId: string | null }

export async function wakeAnchoring(app: App): Promise<void> {
  const [{ rows: lanes }, { rows: transactions }] = await Promise.all([
    // Jumps from chain to chain in the index, so that the cost does not grow with the anchors that wait.
    app.pool.query<{ chain: string }>(
      `with recursive oldest as (
         (select chain, created_at from anchors where state = 'waiting' order by 1, 2 limit 1)
         union all
         select next.chain, next.created_at from oldest cross join lateral (
           select chain, created_at from anchors where state = 'waiting' and chain > oldest.chain order by 1, 2 limit 1
         ) as next
       )
       select chain from oldest where created_at < now() - interval '${patience}' and not ${jobs.anchor.isQueued('chain')}`,
    ),
    app.pool.query<Followed>(
      `select id, chain, project_id as "projectId" from anchor_transactions t
       where state = 'signed' and created_at < now() - interval '${patience}'
       and (project_id is null or exists (select from anchors where transaction_id = t.id and state = 'sent'))
       and not ${jobs.confirm.isQueued('t.id')}`,
    ),
  ])
  if (lanes.length + transactions.length === 0) return
  app.log.warn({ lanes: lanes.length, transactions: transactions.length }, 'missing anchoring jobs are enqueued again')
  await inTransaction(app, async tx =>
    tx.job(...lanes.map(({ chain }) => jobs.anchor({ chain })), ...transactions.map(row => confirmJob(app, row))),
  )
}

/** Ends the pauses after failures, when the service starts: the operator may have corrected the configuration. */
export const endPauses = ({ pool }: App) =>
  pool.query(
    `select count(*) from graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs where task_identifier = '${jobs.anchor.task}' and locked_by is null and run_at > now()
     ), run_at := now())`,
  )
