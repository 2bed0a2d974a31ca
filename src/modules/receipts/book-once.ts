// Books each movement once. A return can be recorded as a payment and as a refund. Then it is one entry of its
// accounts, that of the receipt which was booked first; the other is never booked, and names it.
import type { Sql } from '../../kit/transaction.ts'

/** SQL: whether two receipts, of which one is a settled refund and the other a payment, record the same movement. */
export const sameMovement = (one: string, other: string) => `
  ${other}.project_id = ${one}.project_id and ${other}.chain_key = ${one}.chain_key and ${other}.tx_key = ${one}.tx_key
  and ${other}.sender_key = ${one}.sender_key and ${other}.receiver_key = ${one}.receiver_key
  and ${other}.currency = ${one}.currency and (${other}.refund_of_id is null) <> (${one}.refund_of_id is null)
  and (${one}.refund_of_id is null or ${one}.refund_tx_hash is not null)
  and (${other}.refund_of_id is null or ${other}.refund_tx_hash is not null)`

/**
 * Called in the transaction that has booked these receipts, and so holds their locks. Of two that are booked together,
 * the payment is the entry, because its amount is all that was moved.
 */
export async function bookOnce(sql: Sql, receiptIds: readonly string[]): Promise<void> {
  const pairs = await sql<{ id: string; other: string }>(
    `select one.id, other.id as other from unnest($1::uuid[]) as asked(id)
     cross join lateral (select * from receipts where receipts.id = asked.id offset 0) as one
     cross join lateral (select id from receipts where ${sameMovement('one', 'receipts')} offset 0) as other`,
    [receiptIds],
  )
  if (pairs.length === 0) return
  const [ids, others] = [pairs.map(({ id }) => id), pairs.map(({ other }) => other)]
  // Another transaction may be booking them: what it writes is seen after it. If it waits for these receipts, one of
  // the two is aborted and tried again.
  await sql('select id from receipts where id = any($1::uuid[]) order by id for no key update', [others])
  // Only bookings of this transaction are undone: a receipt that is anchored again may be in a statement.
  await sql(
    `with moment as (select now()::timestamptz(3) as at), entry as (
       select pair.id, (array_agg(other.id order by other.booked_at, other.id) filter (where other.booked_at is not null
         and (other.refund_of_id is null or other.booked_at <> moment.at or other.id <> all($1::uuid[]))))[1] as other
       from moment, unnest($1::uuid[], $2::uuid[]) as pair(id, other) join receipts as other on other.id = pair.other
       group by pair.id
     )
     update receipts set booked_at = case when entry.other is null then booked_at end, counted_as_id = entry.other
     from entry, moment where receipts.id = entry.id and receipts.booked_at = moment.at`,
    [ids, others],
  )
}
