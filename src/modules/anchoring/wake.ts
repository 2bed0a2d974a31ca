// What waits and has no job that carries it is given one. graphile-worker can lose one that is asked for by its key at the very
// moment the same is taken up.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { inTransaction } from '../../kit/transaction.ts'
import { confirmJob } from './chains.ts'

// Younger ones may have theirs in a transaction that is not committed.
const patience = '10 seconds'

type Followed = { id: string; chain: string; projectId: string | null }

export async function wakeAnchoring(app: App): Promise<void> {
  const [{ rows: lanes }, { rows: transactions }] = await Promise.all([
    app.pool.query<{ chain: string }>(
      `select distinct chain from anchors where state = 'waiting' and created_at < now() - interval '${patience}'
       and not ${jobs.anchor.isQueued('chain')}`,
    ),
    app.pool.query<Followed>(
      `select id, chain, project_id as "projectId" from anchor_transactions t
       where state = 'signed' and created_at < now() - interval '${patience}'
       and (project_id is null or exists (select from anchors where transaction_id = t.id and state = 'sent'))
       and not ${jobs.confirm.isQueued('t.id')}`,
    ),
  ])
  if (lanes.length + transactions.length === 0) return
  app.log.warn({ lanes: lanes.length, transactions: transactions.length }, 'what waited without a job is given one')
  await inTransaction(app, async tx =>
    tx.job(...lanes.map(({ chain }) => jobs.anchor({ chain })), ...transactions.map(row => confirmJob(app, row))),
  )
}

/** A pause after failures is for what was configured then: who starts anew has perhaps put it right. */
export const endPauses = ({ pool }: App) =>
  pool.query(
    `select count(*) from graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs where task_identifier = '${jobs.anchor.task}' and locked_by is null and run_at > now()
     ), run_at := now())`,
  )
