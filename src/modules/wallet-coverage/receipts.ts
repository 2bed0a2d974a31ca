// Once all blocks are compared: finds the receipts of the wallet that record no transfer, and adds up what the receipts
// say of its balance.
import type { WalletCoverage } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { inTransaction } from '../../kit/transaction.ts'
import { keptDays, mostRows } from './bounds.ts'
import { counts } from './counting.ts'

const atOnce = 5_000

const ownColumns =
  'id, created_at, status, chain_key, currency, counted_as_id, refund_of_id, refund_tx_hash, tx_key, amount, sender_key, receiver_key, settled_at'
const side = (column: string) => `(
  select ${ownColumns} from receipts where project_id = (select project_id from o) and ${column} = (select wallet from o)
    and created_at <= (select created_at from o) and (created_at, id) > ($2::timestamptz, $3::uuid)
  order by created_at, id limit ${atOnce}
)`

/**
 * The time of a payment is that of its block where the check of the payment knows it, or else the one that is stated,
 * or else that of recording, which is later. Receipts come in pages by the time of recording.
 */
const compareStatement = `
  with o as (select * from wallet_coverages where id = $1::uuid),
  page as (
    select * from (${side('receiver_key')} union ${side('sender_key')}) as own order by created_at, id limit ${atOnce}
  ), timed as (
    select r.*, s.block_number, coalesce(s.block_time, r.settled_at, r.created_at) as at,
      exists (
        select from coverage_receipts c where c.coverage_id = o.id and c.receipt_id = r.id
      ) as has_transfer
    from o cross join page r left join settlements s on s.receipt_id = r.id where ${counts('r', 'o')}
  ), counted as (
    select timed.*,
      case when block_number is null then at >= o.since else block_number >= o.from_block end as is_since,
      has_transfer or case when block_number is null then at <= o.as_of else block_number <= o.to_block end as is_until
    from o cross join timed
  ), last as (
    select created_at, id from page order by created_at desc, id desc limit 1
  ), moved as (
    update wallet_coverages w set last_at = last.created_at, last_id = last.id, failures = 0,
      unknown_count = unknown_count + unknown.count,
      unknown_amount = trim_scale(unknown_amount::numeric + unknown.amount)::text,
      recorded_balance = trim_scale(recorded_balance::numeric + own.balance)::text
    from last, (
      select count(*)::int as count, coalesce(sum(amount), 0) as amount from counted
      where is_since and is_until and not has_transfer
    ) as unknown, (
      select coalesce(sum(case when receiver_key = o.wallet then amount else 0 end
        - case when sender_key = o.wallet then amount else 0 end), 0) as balance
      from counted, o where is_until
    ) as own
    where w.id = $1::uuid and w.last_id is not distinct from $4::uuid and w.finished_at is null and w.failed_at is null
    returning w.id
  ), kept as (
    insert into coverage_transfers (coverage_id, status, transaction, log_index, block_number, at, from_wallet, to_wallet,
      amount, receipt_id)
    select moved.id, 'unknown', split_part(tx_key, '#', 1), nullif(split_part(tx_key, '#', 2), '')::int, block_number, at,
      sender_key, receiver_key, trim_scale(amount)::text, counted.id
    from moved, counted where is_since and is_until and not has_transfer
    order by created_at, counted.id limit greatest(0, ${mostRows} - (select unknown_count from o))
  )
  select from page`

const neverUuid = '00000000-0000-0000-0000-000000000000'

/** Compares the next page of receipts, and finishes the comparison when there is none. */
export async function compareReceipts(app: App, { id, lastAt, lastId }: WalletCoverage): Promise<void> {
  await inTransaction(app, async ({ sql }) => {
    const page = await sql(compareStatement, [id, lastAt ?? '-infinity', lastId ?? neverUuid, lastId])
    if (page.length > 0) return
    await sql(
      `with done as (
         update wallet_coverages set finished_at = now(), expires_at = now() + interval '${keptDays} days',
           balance_difference = trim_scale(chain_balance::numeric - recorded_balance::numeric)::text
         where id = $1::uuid and last_id is not distinct from $2::uuid and finished_at is null and failed_at is null
         returning id
       )
       delete from coverage_receipts where coverage_id in (select id from done)`,
      [id, lastId],
    )
  })
}
