// Publishes the bundles of anchored receipts in IPFS and stores their CIDs. A receipt whose bundle is published already
// is skipped.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import { isDamage, readFile } from '../artifacts/read-file.ts'

const atOnce = 8

type Open = { id: string; projectId: string }

export const publish = task(jobs.publish, async (app, { receipts }) => {
  // A receipt that lost its anchor is published when it is anchored again.
  const { rows } = await app.pool.query<Open>(
    `select id, project_id as "projectId" from receipts
     where id = any($1::uuid[]) and status = 'anchored' and bundle_cid is null and erased_at is null`,
    [receipts],
  )
  const failures: unknown[] = []
  for (let start = 0; start < rows.length; start += atOnce) {
    const outcomes = await Promise.allSettled(rows.slice(start, start + atOnce).map(row => publishOne(app, row)))
    failures.push(...outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : [])))
    // Go on after a damaged bundle. Stop after any other failure: a node that failed is not called for each bundle.
    if (!failures.every(isDamage)) break
  }
  // Published bundles stay published; the retried job publishes the rest.
  if (failures.length > 0) throw failures.find(failure => !isDamage(failure)) ?? failures[0]
})

async function publishOne(app: App, { id, projectId }: Open): Promise<void> {
  if (app.publisher === null) throw new Error('this process has no IPFS node to publish through: set IPFS_API')
  const file = await readFile(app, id, 'evidence.zip')
  if (file === null) throw new Error(`the anchored receipt ${id} has no bundle`)
  const cid = await app.publisher.publish(file.content)
  await inTransaction(app, async tx => {
    const kept = await tx.sql(
      'update receipts set bundle_cid = $2 where id = $1::uuid and bundle_cid is null returning id',
      [id, cid],
    )
    if (kept.length === 0) return
    const object = { objectType: 'receipt', objectId: id, projectId }
    tx.audit({ action: 'receipt.publish', ...object, actor: 'worker', details: { cid } })
  })
}
