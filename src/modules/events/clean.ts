// Deletes events that are older than EVENT_DAYS days. Two kinds stay: the newest state of a receipt, with which a
// stream of that receipt begins, and an event that still has a delivery.
import type { App } from '../../kit/context.ts'

// Deletes in batches of this size, so that no lock is kept for long.
const atOnce = 10_000

/** Each event is considered once: the horizon is the number of the last one that was. */
const cleanSome = `
  with horizon as materialized (
    select id from event_horizon for no key update
  ), page as materialized (
    select id, receipt_id, created_at from events where id > (select id from horizon) order by id limit ${atOnce}
  ), old as materialized (
    select id, receipt_id from page
    where id < coalesce((select min(id) from page where created_at >= now() - $1 * interval '1 day'), id + 1)
  ), gone as (
    delete from events where id in (
      select id from old
      where not exists (select from webhook_deliveries where event_id = old.id)
        and (receipt_id is null or exists (
          select from events later
          where later.receipt_id = old.receipt_id and later.id > old.id and later.type not in ('receipt.refunded', 'receipt.settlement_checked')))
    )
  )
  update event_horizon set id = last.id from (select max(id) as id from old having max(id) is not null) as last
  returning (select count(*)::int from old) as considered`

export async function cleanEvents({ pool, eventDays }: App): Promise<void> {
  if (eventDays === null) return
  for (let considered = atOnce; considered === atOnce; ) {
    const { rows } = await pool.query<{ considered: number }>(cleanSome, [eventDays])
    considered = rows[0]?.considered ?? 0
  }
}
