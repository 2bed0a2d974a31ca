// Deletes exports that expired, with their files.
import type { App } from '../../kit/context.ts'

// Deletes in batches of this size, so that no lock is kept for long.
const partsAtOnce = 500

export async function cleanExports({ pool }: App): Promise<void> {
  const expired = 'select id from exports where expires_at < now()'
  for (let deleted = partsAtOnce; deleted === partsAtOnce; ) {
    const { rowCount } = await pool.query(
      `delete from export_parts where (export_id, starts_at) in (
         select export_id, starts_at from export_parts where export_id in (${expired}) limit ${partsAtOnce}
       )`,
    )
    deleted = rowCount ?? 0
  }
  await pool.query(`delete from exports where id in (${expired})`)
}
