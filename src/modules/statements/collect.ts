// Reads the movements on the accounts of a project or of a wallet. An account is one wallet, one chain and one asset. A
// project's accounts are those on which it was paid, from the first such payment on: each payment is a credit on the
// account of its receiver, and a debit on that of its sender if that is such an account too, as with refunds. A
// wallet's accounts are all on which it received or sent, in receipts of any project. Only anchored receipts count,
// each when the service booked it, so that a past day never changes.
import type { Sql } from '../../kit/transaction.ts'

/** The owner of the statement. A wallet is given by its key (`addressKey`). */
export type Owner = { projectId: string } | { wallet: string }

type Movement = { id: string; side: 'CRDT' | 'DBIT' }
export type AccountMovements = {
  wallet: string
  chain: string
  currency: string
  /** Sums of all earlier movements, exact and as the amounts in messages can carry them: signed plain decimals. */
  exact: string
  inBand: string
  movements: Movement[]
}

// Truncates amounts as `inBandAmount` in slots.ts does: 18 digits, 5 of them after the point, toward zero.
const inBand = `case when length(trunc(amount)::text) > 18 then 0
  else trunc(amount, least(5, 18 - length(trunc(amount)::text))) end`

const receipts = (where: string) => `
  select id, project_id, booked_at, sender_wallet, receiver_wallet, sender_key, receiver_key, chain, chain_key, tx_key, currency, amount, refund_of_id,
    ${inBand} as in_band
  from receipts where ${where} and status = 'anchored' and booked_at < $3::timestamptz`

const movement = 'chain_key, tx_key, sender_key, receiver_key, currency, amount'

/** `booked`: SQL of the receipts that may count; `counted`: SQL of their movements that count. */
type Asked = { id: string; booked(and: string): string; counted: string }

const ofProject = (id: string): Asked => ({
  id,
  booked: and => receipts(`project_id = $1::uuid ${and}`),
  counted: `
    select movement.* from movement join (
      select receiver_wallet as wallet, chain, currency, min(booked_at) as since from booked
      where refund_of_id is null group by 1, 2, 3
    ) as account using (wallet, chain, currency) where booked_at >= since`,
})

// The projects of payer and payee often record the same movement, one perhaps as a refund and the other as a payment.
// It counts once, as it was booked first. Several refunds of a project can have one transaction and equal amounts:
// these are numbered. Two selects, because senders and receivers each have an index.
const ofWallet = (id: string): Asked => ({
  id,
  booked: and => `
    select distinct on (${movement}, number) * from (
      select *, case when refund_of_id is null then 1 else row_number() over (
        partition by project_id, refund_of_id is null, ${movement} order by booked_at, id) end as number from (
      ${receipts(`sender_key = $1::text ${and}`)}
      union all
      ${receipts(`receiver_key = $1::text and sender_key <> $1::text ${and}`)}
      ) as recorded
    ) as numbered order by ${movement}, number, booked_at, id`,
  counted: 'select * from movement where wallet_key = $1::text',
})

const asked = (owner: Owner): Asked => ('wallet' in owner ? ofWallet(owner.wallet) : ofProject(owner.projectId))

const collectSql = ({ booked, counted }: Asked) => `
  with booked as (${booked('')}), movement as (
    select id, booked_at, receiver_wallet as wallet, receiver_key as wallet_key, chain, currency, 'CRDT' as side, amount, in_band from booked
    union all
    select id, booked_at, sender_wallet, sender_key, chain, currency, 'DBIT', -amount, -in_band from booked
  )
  select wallet, chain, currency,
    coalesce(sum(amount) filter (where booked_at < $2::timestamptz), 0)::text as exact,
    coalesce(sum(in_band) filter (where booked_at < $2::timestamptz), 0)::text as "inBand",
    coalesce(json_agg(json_build_object('id', id, 'side', side) order by booked_at, id, side)
      filter (where booked_at >= $2::timestamptz), '[]') as movements
  from (${counted}) as counted
  group by wallet, chain, currency having max(booked_at) >= $2::timestamptz order by wallet, chain, currency`

/** Returns the accounts with movements, ordered by wallet, chain and asset; movements in booking order. */
export function collect(sql: Sql, owner: Owner, from: Date, to: Date): Promise<AccountMovements[]> {
  const question = asked(owner)
  return sql<AccountMovements>(collectSql(question), [question.id, from, to])
}

/** Counts the payments booked in the window, up to `most`. A payment becomes one or two entries. */
export async function countBooked(sql: Sql, owner: Owner, from: Date, to: Date, most: number): Promise<number> {
  const { id, booked } = asked(owner)
  const [row] = await sql<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from (${booked('and booked_at >= $2::timestamptz')}) as booked limit $4::int
     ) as counted`,
    [id, from, to, most],
  )
  return row?.count ?? 0
}
