// Deletes deliveries, with their attempts, that finished more than WEBHOOK_DELIVERY_DAYS days ago.
import type { App } from '../../kit/context.ts'

// Deletes in batches of this size, so that no lock is kept for long. A delivery to a `callback_url` with response 410
// is not deleted, because it records that this URL is gone.
const atOnce = 10_000

export async function cleanDeliveries({ pool, webhooks }: App): Promise<void> {
  for (let deleted = atOnce; deleted === atOnce; ) {
    const { rowCount } = await pool.query(
      `delete from webhook_deliveries where id in (
         select id from webhook_deliveries where finished_at < now() - $1 * interval '1 day'
           and (state <> 'gone' or endpoint_id is not null)
         order by finished_at limit ${atOnce} for no key update skip locked
       )`,
      [webhooks.deliveryDays],
    )
    deleted = rowCount ?? 0
  }
}
