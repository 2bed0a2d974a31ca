// Releases the jobs of dead workers, keeps failed jobs from waiting for hours, and deletes jobs that will never run.
import type { App } from '../kit/context.ts'
import { workerLockClass } from '../kit/worker-lock.ts'
import { wakeAnchoring } from '../modules/anchoring/wake.ts'
import { wakeCompliance } from '../modules/compliance/wake.ts'
import { wakeSettlements } from '../modules/settlement/wake.ts'
import { wakeStatements } from '../modules/statements/write.ts'
import { settleLeft } from '../modules/x402/tasks.ts'

// graphile-worker's back-off grows to six hours; a failed dependency is usually available again much sooner.
const longestWait = '60 seconds'
// A worker that has just started may lock jobs before it has its liveness lock.
const grace = '2 seconds'

export async function recover(app: App): Promise<void> {
  const { pool } = app
  // The locks of queues are in no public view.
  await pool.query(
    `with holders as materialized (
       select locked_by from graphile_worker.jobs where locked_by is not null and locked_at < now() - interval '${grace}'
       union
       select locked_by from graphile_worker._private_job_queues where locked_by is not null and locked_at < now() - interval '${grace}'
     ), dead as materialized (
       select locked_by from holders where pg_try_advisory_xact_lock($1, hashtext(locked_by))
     )
     select graphile_worker.force_unlock_workers(array(select locked_by from dead)) where exists (select from dead)`,
    [workerLockClass],
  )
  // When a job is added again while it runs, graphile-worker removes the key and all further attempts from the running
  // job. If that run fails or dies, the job row stays permanently and appears as failing, like that of a failed
  // periodic job.
  await pool.query(
    `select count(*) from graphile_worker.complete_jobs(array(
       select id from graphile_worker.jobs where key is null and locked_at is null and attempts >= max_attempts
     ))`,
  )
  await pool.query(
    `select count(*) from graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs
       where attempts > 0 and locked_by is null and run_at > now() + interval '${longestWait}'
     ), run_at := now() + interval '${longestWait}')`,
  )
  await wakeAnchoring(app)
  await wakeCompliance(app)
  await wakeSettlements(app)
  await wakeStatements(app)
  await settleLeft(app)
}
