// The accounts of a project and what moved on them. An account is one wallet, one chain and one asset that the project was
// paid on, from the first payment: each is a credit on its receiver, and a debit on its sender where that is such an
// account too, as with refunds. Only anchored receipts count, each when the service knew it, so that a day that is over
// stays as it is.
import type { Sql } from '../../kit/transaction.ts'

export type Movement = { id: string; side: 'CRDT' | 'DBIT' }
export type AccountMovements = {
  wallet: string
  chain: string
  currency: string
  /** Sum of all that moved before: exact, and as the messages' amounts can say it. Signed plain decimals. */
  exact: string
  inBand: string
  movements: Movement[]
}

// As slots.ts cuts amounts: 18 digits, 5 of them after the point, toward zero.
const inBand = `case when length(trunc(amount)::text) > 18 then 0
  else trunc(amount, least(5, 18 - length(trunc(amount)::text))) end`

const collectSql = `
  with booked as (
    select id, booked_at, sender_wallet, receiver_wallet, chain, currency, amount, refund_of_id, ${inBand} as in_band
    from receipts where project_id = $1::uuid and status = 'anchored' and booked_at < $3::timestamptz
  ), account as (
    select receiver_wallet as wallet, chain, currency, min(booked_at) as since from booked
    where refund_of_id is null group by 1, 2, 3
  ), movement as (
    select id, booked_at, receiver_wallet as wallet, chain, currency, 'CRDT' as side, amount, in_band from booked
    union all
    select id, booked_at, sender_wallet, chain, currency, 'DBIT', -amount, -in_band from booked
  )
  select wallet, chain, currency,
    coalesce(sum(amount) filter (where booked_at < $2::timestamptz), 0)::text as exact,
    coalesce(sum(in_band) filter (where booked_at < $2::timestamptz), 0)::text as "inBand",
    coalesce(json_agg(json_build_object('id', id, 'side', side) order by booked_at, id, side)
      filter (where booked_at >= $2::timestamptz), '[]') as movements
  from account join movement using (wallet, chain, currency) where booked_at >= since
  group by wallet, chain, currency having max(booked_at) >= $2::timestamptz order by wallet, chain, currency`

/** Those with movements, in the order of wallet, chain and asset; movements in the order of booking. */
export const collect = (sql: Sql, projectId: string, from: Date, to: Date): Promise<AccountMovements[]> =>
  sql<AccountMovements>(collectSql, [projectId, from, to])
