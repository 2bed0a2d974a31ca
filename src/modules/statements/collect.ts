// What moved on the accounts of a project or of a wallet. An account is one wallet, one chain and one asset. A project's are
// those it was paid on, from the first payment: each is a credit on its receiver, and a debit on its sender where that is
// such an account too, as with refunds. A wallet's are all it received or sent on, whoever recorded it. Only anchored
// receipts count, each when the service knew it, so that a day that is over stays as it is.
import type { Sql } from '../../kit/transaction.ts'

/** Whose statement it is. A wallet as receipts have it: lower-case when it is hex. */
export type Owner = { projectId: string } | { wallet: string }

type Movement = { id: string; side: 'CRDT' | 'DBIT' }
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

const receipts = (where: string) => `
  select id, booked_at, sender_wallet, receiver_wallet, chain, currency, amount, refund_of_id,
    coalesce(refund_tx_hash, tip_tx_hash) as tx_hash, ${inBand} as in_band
  from receipts where ${where} and status = 'anchored' and booked_at < $3::timestamptz`

const payment = 'chain, tx_hash, sender_wallet, receiver_wallet, currency, amount, refund_of_id is null'

/** `booked`: what may count; `counted`: those of its movements that do. */
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

// Payer's and payee's projects often record the same payment: it counts once, as it was booked first. Two reads, because each
// has an index of its own.
const ofWallet = (id: string): Asked => ({
  id,
  booked: and => `
    select distinct on (${payment}) * from (
      ${receipts(`sender_wallet = $1::text ${and}`)}
      union all
      ${receipts(`receiver_wallet = $1::text and sender_wallet <> $1::text ${and}`)}
    ) as recorded order by ${payment}, booked_at, id`,
  counted: 'select * from movement where wallet = $1::text',
})

const asked = (owner: Owner): Asked => ('wallet' in owner ? ofWallet(owner.wallet) : ofProject(owner.projectId))

const collectSql = ({ booked, counted }: Asked) => `
  with booked as (${booked('')}), movement as (
    select id, booked_at, receiver_wallet as wallet, chain, currency, 'CRDT' as side, amount, in_band from booked
    union all
    select id, booked_at, sender_wallet, chain, currency, 'DBIT', -amount, -in_band from booked
  )
  select wallet, chain, currency,
    coalesce(sum(amount) filter (where booked_at < $2::timestamptz), 0)::text as exact,
    coalesce(sum(in_band) filter (where booked_at < $2::timestamptz), 0)::text as "inBand",
    coalesce(json_agg(json_build_object('id', id, 'side', side) order by booked_at, id, side)
      filter (where booked_at >= $2::timestamptz), '[]') as movements
  from (${counted}) as counted
  group by wallet, chain, currency having max(booked_at) >= $2::timestamptz order by wallet, chain, currency`

/** Those with movements, in the order of wallet, chain and asset; movements in the order of booking. */
export function collect(sql: Sql, owner: Owner, from: Date, to: Date): Promise<AccountMovements[]> {
  const question = asked(owner)
  return sql<AccountMovements>(collectSql(question), [question.id, from, to])
}

/** How many payments the window holds, without the days before it; `most` when there are more. Each is an entry or two. */
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
