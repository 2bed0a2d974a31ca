// Takes over what a dead process held, keeps failed jobs from waiting for hours, and removes those that nothing will run.
import type { App } from '../kit/context.ts'
import { workerLockClass } from '../kit/worker-lock.ts'
import { wakeAnchoring } from '../modules/anchoring/wake.ts'
import { wakeCompliance } from '../modules/compliance/wake.ts'
import { settleLeft } from '../modules/payments/tasks.ts'

// graphile-worker's back-off grows to six hours; what was down is usually back much sooner.
const longestWait = '60 seconds'
// A worker that has just started may hold jobs before it shows that it lives.
const grace = '2 seconds'

export async function recover(app: App): Promise<void> {
  const { pool } = app
  await pool.query(
    `with holders as materialized (
       select locked_by from graphile_worker._private_jobs where locked_by is not null and locked_at < now() - interval '${grace}'
       union
       select locked_by from graphile_worker._private_job_queues where locked_by is not null and locked_at < now() - interval '${grace}'
     ), dead as materialized (
       select locked_by from holders where pg_try_advisory_xact_lock($1, hashtext(locked_by))
     )
     select graphile_worker.force_unlock_workers(array(select locked_by from dead)) where exists (select from dead)`,
    [workerLockClass],
  )
  // graphile-worker takes the key and all further attempts from a running job when the same is asked for again. When that
  // run then fails or dies, the job stays for good and looks like a failing one; so does a regular job that failed.
  await pool.query(
    `delete from graphile_worker._private_jobs where key is null and locked_at is null and attempts >= max_attempts`,
  )
  await pool.query(
    `select count(*) from graphile_worker.reschedule_jobs(array(
       select id from graphile_worker._private_jobs
       where attempts > 0 and locked_by is null and run_at > now() + interval '${longestWait}'
     ), run_at := now() + interval '${longestWait}')`,
  )
  await wakeAnchoring(app)
  await wakeCompliance(app)
  await settleLeft(app)
}
