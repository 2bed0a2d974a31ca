// The SQL of the series: finds what no statement has stated yet, and states it in the next statement of each account.
import type { Sql } from '../../kit/transaction.ts'
import type { Day } from './calendar.ts'
import { bookedTwice, repeatsPayment } from './collect.ts'

/** The part that is the same for all statements of a day. */
export type Closing = Day & {
  projectId: string
  /** Earlier bookings are in the opening balances of the first statements. */
  seriesFrom: Date
  at: Date
  timeZone: string
  configVersion: number | null
  projectConfigVersion: number | null
}

// A payment is booked when its transaction begins. A transaction may commit after the day was closed; its payment is
// then in the statement of the next day. No transaction lasts this long.
const latest = '2 days'

// $1 project, $2 begin of the series, $3 begin and $4 end of the period.
const open = `
  select r.id, greatest(r.booked_at, $3::timestamptz) as booked_at, r.refund_of_id, r.amount, r.currency,
    r.chain, r.receiver_wallet, r.chain_key, r.sender_key, r.receiver_key
  from receipts r
  where r.project_id = $1::uuid and r.status = 'anchored' and r.booked_at < $4::timestamptz
    and r.booked_at >= greatest($2::timestamptz, $3::timestamptz - interval '${latest}')
    and not exists (select from statement_entries e where e.receipt_id = r.id)
    and not exists (
      select from receipts twin where ${bookedTwice} and (
        twin.booked_at < $2::timestamptz
        or exists (select from statement_entries e where e.receipt_id = twin.id)
        or twin.status = 'anchored' and twin.booked_at < $4::timestamptz and (twin.booked_at, twin.id) < (r.booked_at, r.id)
      )
    )`

const bounds = ({ projectId, seriesFrom, from, to }: Pick<Closing, 'projectId' | 'seriesFrom' | 'from' | 'to'>) => [
  projectId,
  seriesFrom,
  from,
  to,
]

/** Returns when the first payment was booked that is booked before `to` and not stated; null when there is none. */
export async function firstOpen(sql: Sql, day: Pick<Closing, 'projectId' | 'seriesFrom' | 'from' | 'to'>) {
  const [row] = await sql<{ at: Date | null }>(`select min(booked_at) as at from (${open}) as open`, bounds(day))
  return row?.at ?? null
}

/** Adds the accounts to which the project was paid for the first time in this day. */
const addAccounts = `
  insert into statement_accounts (id, project_id, wallet_key, chain_key, currency, wallet, chain, since, balance)
  select gen_random_uuid(), $1::uuid, receiver_key, chain_key, currency,
    (array_agg(receiver_wallet order by booked_at, id))[1], (array_agg(chain order by booked_at, id))[1], min(booked_at), 0
  from (${open}) as open where refund_of_id is null group by receiver_key, chain_key, currency
  on conflict do nothing`

/** Numbers a statement for each account that moved, and at the end of a month for each that has a balance. */
const number = `
  with open as materialized (${open}), moved as materialized (
    select o.id, side.name as side, o.booked_at, a.id as account_id, side.sign * o.amount as amount
    from open o cross join lateral (values ('CRDT', o.receiver_key, 1), ('DBIT', o.sender_key, -1)) as side(name, wallet_key, sign)
    join statement_accounts a on a.project_id = $1::uuid and a.wallet_key = side.wallet_key and a.chain_key = o.chain_key
      and a.currency = o.currency and a.since <= o.booked_at
  ), due as (
    select account_id, count(*)::int as entries, sum(amount) as amount from moved group by account_id
    union all
    select id, 0, 0 from statement_accounts
    where $5::boolean and project_id = $1::uuid and balance <> 0 and id not in (select account_id from moved)
  ), numbered as (
    update statement_accounts a set last_number = a.last_number + 1, balance = a.balance + due.amount
    from due where a.id = due.account_id
    returning a.id, a.last_number as number, due.entries, a.balance - due.amount as opening, a.balance as closing
  ), made as (
    insert into statements (id, project_id, account_id, number, type, kind, "from", "to", day, "window", time_zone, count,
      created_at, opening, closing, config_version, project_config_version, status)
    select gen_random_uuid(), $1::uuid, id, number, 'camt.053', 'series', $3::timestamptz, $4::timestamptz, $6::text,
      $7::text, $8::text, entries, $9::timestamptz, opening, closing, $10::int, $11::int, 'pending'
    from numbered returning id, account_id
  ), stated as (
    insert into statement_entries (receipt_id, side, statement_id, booked_at)
    select moved.id, moved.side, made.id, moved.booked_at from moved join made using (account_id)
  )
  select id from made`

/** Returns the ids of the statements of a day. The caller has locked the project. */
export async function numberDay(sql: Sql, closing: Closing, isMonthEnd: boolean, window: string): Promise<string[]> {
  await sql(addAccounts, bounds(closing))
  const rows = await sql<{ id: string }>(number, [
    ...bounds(closing),
    isMonthEnd,
    closing.day,
    window,
    closing.timeZone,
    closing.at,
    closing.configVersion,
    closing.projectConfigVersion,
  ])
  return rows.map(({ id }) => id)
}

/** Adds the accounts on which the project was paid before its series begins, with their balances of that time. */
export const openSeries = (sql: Sql, projectId: string, from: Date) =>
  sql(
    `with booked as (
       select r.id, r.booked_at, r.refund_of_id, r.amount, r.currency, r.chain, r.receiver_wallet,
         r.chain_key, r.sender_key, r.receiver_key
       from receipts r where r.project_id = $1::uuid and r.booked_at < $2::timestamptz and not (${repeatsPayment('$2::timestamptz')})
     ), account as (
       select receiver_key as wallet_key, chain_key, currency, (array_agg(receiver_wallet order by booked_at, id))[1] as wallet,
         (array_agg(chain order by booked_at, id))[1] as chain, min(booked_at) as since
       from booked where refund_of_id is null group by receiver_key, chain_key, currency
     ), moved as (
       select side.wallet_key, b.chain_key, b.currency, b.booked_at, side.sign * b.amount as amount
       from booked b cross join lateral (values (b.receiver_key, 1), (b.sender_key, -1)) as side(wallet_key, sign)
     )
     insert into statement_accounts (id, project_id, wallet_key, chain_key, currency, wallet, chain, since, balance)
     select gen_random_uuid(), $1::uuid, wallet_key, chain_key, currency, a.wallet, a.chain, a.since, sum(m.amount)
     from account a join moved m using (wallet_key, chain_key, currency) where m.booked_at >= a.since
     group by wallet_key, chain_key, currency, a.wallet, a.chain, a.since
     on conflict do nothing`,
    [projectId, from],
  )
