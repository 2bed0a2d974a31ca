// Deletes deliveries, with their attempts, once they have been over for WEBHOOK_DELIVERY_DAYS.
import type { App } from '../../kit/context.ts'

// A delivery that was answered by 410 stays, where by it a `callback_url` is known to be gone. In steps, so that no lock is held
// for long.
const atOnce = 10_000

export async function cleanDeliveries({ pool, webhooks }: App): Promise<void> {
  for (let deleted = atOnce; deleted === atOnce; ) {
    const { rowCount } = await pool.query(
      `delete from webhook_deliveries where id in (
         select id from webhook_deliveries where finished_at < now() - $1 * interval '1 day'
           and (state <> 'gone' or endpoint_id is not null)
         order by finished_at limit ${atOnce} for update skip locked
       )`,
      [webhooks.deliveryDays],
    )
    deleted = rowCount ?? 0
  }
}
