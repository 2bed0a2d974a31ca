// Enqueues the checks that are due again. A project that was moved is checked where it works now.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { isMoving } from '../../kit/moving.ts'
import { inTransaction } from '../../kit/transaction.ts'

const atOnce = 500
// By then the job has run, or is lost.
const lease = '2 minutes'

export async function wakeSettlements(app: App): Promise<void> {
  const { rows } = await app.pool.query('select from settlements where retry_at < now() limit 1')
  if (rows.length === 0) return
  await inTransaction(app, async tx => {
    const due = await tx.sql<{ id: string }>(
      `update settlements set retry_at = now() + interval '${lease}' where receipt_id in (
         select s.receipt_id from settlements s join receipts r on r.id = s.receipt_id
         where s.retry_at < now() and r.erased_at is null and not ${isMoving('r.project_id')}
         order by s.retry_at limit ${atOnce} for no key update of s skip locked
       ) returning receipt_id as id`,
    )
    if (due.length > 0) tx.job(jobs.checkSettlement({ receipts: due.map(({ id }) => id) }))
  })
}
