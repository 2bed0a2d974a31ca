// Deletes comparisons that expired, with their rows.
import type { App } from '../../kit/context.ts'

// Deletes in batches of this size, so that no lock is kept for long.
const rowsAtOnce = 5_000

export async function cleanCoverages({ pool }: App): Promise<void> {
  const ended = `select id from wallet_coverages where expires_at < now()`
  const steps = [
    `delete from coverage_transfers where id in (
       select id from coverage_transfers where coverage_id in (${ended}) limit ${rowsAtOnce}
     )`,
    // Those of a comparison that failed are of no use.
    `delete from coverage_receipts where (coverage_id, receipt_id) in (
       select coverage_id, receipt_id from coverage_receipts where coverage_id in (
         select id from wallet_coverages where expires_at < now() or failed_at is not null
       ) limit ${rowsAtOnce}
     )`,
  ]
  for (const step of steps) {
    for (let deleted = rowsAtOnce; deleted === rowsAtOnce; ) deleted = (await pool.query(step)).rowCount ?? 0
  }
  await pool.query(`delete from wallet_coverages where id in (${ended})`)
}
