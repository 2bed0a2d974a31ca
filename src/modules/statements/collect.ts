// Reads the movements on the accounts of a project or of a wallet. An account is one wallet, one chain and one asset. A
// project's accounts are those on which it was paid, from the first such payment on: each payment is a credit on the
// account of its receiver, and a debit on that of its sender if that is such an account too, as with refunds. A
// wallet's accounts are all on which it received or sent, in receipts of any project. Only anchored receipts count,
// each when the service booked it, so that a past day never changes.
import { isSealed } from '../../kit/moving.ts'
import type { Sql } from '../../kit/transaction.ts'
import type { AccountKey } from '../iso20022/slots.ts'
import { sameSides } from '../receipts/same-movement.ts'

/** The owner of the statement: a project, with all accounts or with one, or the key of a wallet. */
export type Owner = { projectId: string; account: AccountKey | null } | { wallet: string }

type Side = 'CRDT' | 'DBIT'
export type Movement = { id: string; side: Side; bookedAt: Date }
export type AccountMovements = AccountKey & {
  wallet: string
  chain: string
  /** The sum of all earlier movements: a signed plain decimal. */
  opening: string
  movements: Movement[]
}

/**
 * SQL: another receipt of the project was booked for the same movement, as one of a return that is recorded as a
 * payment, before movements were booked once (receipts/book-once.ts). Two refunds are two movements, because one
 * transaction can give two payments back.
 */
export const bookedTwice = `${sameSides('r', 'twin')} and twin.tx_key = r.tx_key
  and twin.amount is not distinct from r.amount and twin.id <> r.id
  and (twin.refund_of_id is null or r.refund_of_id is null)`

/** SQL: the receipt repeats a payment that is booked before a time. Few receipts can, so that few are looked up. */
export const repeatsPayment = (before: string) => `(r.is_repeated or r.refund_of_id is not null) and exists (
  select from receipts twin where ${bookedTwice} and twin.refund_of_id is null and not twin.is_repeated
    and twin.booked_at < ${before})`

const receipts = (where: string) => `
  select id, project_id, booked_at, sender_wallet, receiver_wallet, sender_key, receiver_key, chain, chain_key, currency,
    amount, refund_of_id, tx_key
  from receipts r where ${where} and status = 'anchored' and booked_at < $3::timestamptz`

const movement = 'chain_key, tx_key, sender_key, receiver_key, currency, amount'

/**
 * SQL. `booked`: the receipts that may count; `counted`: their movements that count; `held`: the accounts that are
 * listed also without movements, as far as they are known. `values` from $4 on.
 */
type Query = { id: string; booked(and: string): string; counted: string; held: string; values: string[] }

function ofProject({ projectId, account }: { projectId: string; account: AccountKey | null }): Query {
  const [and, where] =
    account === null
      ? ['', '']
      : [
          'and (receiver_key = $4::text or sender_key = $4::text) and chain_key = $5::text and currency = $6::text',
          'and wallet_key = $4::text',
        ]
  return {
    id: projectId,
    held: `select 1 from statement_accounts where project_id = $1::uuid and balance <> 0 and ${account === null}`,
    values: account === null ? [] : [account.walletKey, account.chainKey, account.currency],
    booked: more => receipts(`project_id = $1::uuid ${and} ${more} and not (${repeatsPayment('$3::timestamptz')})`),
    counted: `
      select movement.* from movement join (
        select receiver_key as wallet_key, chain_key, currency, min(booked_at) as since from booked
        where refund_of_id is null group by 1, 2, 3
      ) as account using (wallet_key, chain_key, currency) where booked_at >= since ${where}`,
  }
}

// The second half is the condition of the indexes by sender and by receiver.
const isBooked = `status = 'anchored' and booked_at is not null`

// Receipts of a project that was moved are stated by the installation where it works now.
const isHere = `not ${isSealed('r.project_id')}`

// The projects of payer and payee often record the same movement, one perhaps as a refund and the other as a payment.
// It counts once, as it was booked first. Several refunds of a project can have one transaction and equal amounts:
// these are numbered. Two selects, because senders and receivers each have an index.
const ofWallet = (key: string): Query => ({
  id: key,
  values: [],
  held: `
    select 1 from (
      select chain_key, currency from receipts where sender_key = $1::text and ${isBooked}
      union all
      select chain_key, currency from receipts where receiver_key = $1::text and ${isBooked}
    ) as recorded group by chain_key, currency`,
  booked: and => `
    select distinct on (${movement}, number) * from (
      select *, case when refund_of_id is null then 1 else row_number() over (
        partition by project_id, refund_of_id is null, ${movement} order by booked_at, id) end as number from (
      ${receipts(`sender_key = $1::text ${and} and ${isHere}`)}
      union all
      ${receipts(`receiver_key = $1::text and sender_key <> $1::text ${and} and ${isHere}`)}
      ) as recorded
    ) as numbered order by ${movement}, number, booked_at, id`,
  counted: 'select * from movement where wallet_key = $1::text',
})

const queryOf = (owner: Owner): Query => ('wallet' in owner ? ofWallet(owner.wallet) : ofProject(owner))

const collectSql = ({ booked, counted }: Query, listsHeld: boolean) => `
  with booked as (${booked('')}), movement as (
    select id, booked_at, receiver_wallet as wallet, receiver_key as wallet_key, chain, chain_key, currency, 'CRDT' as side, amount from booked
    union all
    select id, booked_at, sender_wallet, sender_key, chain, chain_key, currency, 'DBIT', -amount from booked
  )
  select (array_agg(wallet order by booked_at, id))[1] as wallet, (array_agg(chain order by booked_at, id))[1] as chain,
    wallet_key as "walletKey", chain_key as "chainKey", currency, coalesce(sum(amount) filter (where booked_at < $2::timestamptz), 0)::text as opening,
    coalesce(json_agg(json_build_object('id', id, 'side', side, 'bookedAt', booked_at) order by booked_at, id, side)
      filter (where booked_at >= $2::timestamptz), '[]') as movements
  from (${counted}) as counted group by wallet_key, chain_key, currency
  having max(booked_at) >= $2::timestamptz ${listsHeld ? 'or sum(amount) <> 0' : ''} order by 1, 2, 3`

type Row = Omit<AccountMovements, 'movements'> & { movements: (Omit<Movement, 'bookedAt'> & { bookedAt: string })[] }

/** The period of a statement; of a whole day, accounts are listed that only hold a balance. */
export type Period = { from: Date; to: Date; isWholeDay: boolean }

const listsHeld = (owner: Owner, { isWholeDay }: Period): boolean =>
  isWholeDay || (!('wallet' in owner) && owner.account !== null)

/**
 * Returns the accounts that have movements in the period, and those that hold a balance, ordered by wallet, chain and
 * asset; movements in booking order.
 */
export async function collect(sql: Sql, owner: Owner, period: Period): Promise<AccountMovements[]> {
  const question = queryOf(owner)
  const text = collectSql(question, listsHeld(owner, period))
  const rows = await sql<Row>(text, [question.id, period.from, period.to, ...question.values])
  return rows.map(row => ({
    ...row,
    movements: row.movements.map(movement => ({ ...movement, bookedAt: new Date(movement.bookedAt) })),
  }))
}

/**
 * Counts what a statement has to list: the payments booked in the window, each of which becomes one or two entries, and
 * the accounts that hold a balance. Up to `most` of each.
 */
export async function countListed(sql: Sql, owner: Owner, period: Period, most: number): Promise<number> {
  const { id, booked, held, values } = queryOf(owner)
  const upTo = (rows: string) =>
    `(select count(*)::int from (select 1 from (${rows}) as listed limit ${most}) as counted)`
  const [row] = await sql<{ count: number }>(
    `select ${upTo(booked('and booked_at >= $2::timestamptz'))} + ${listsHeld(owner, period) ? upTo(held) : '0'} as count`,
    [id, period.from, period.to, ...values],
  )
  return row?.count ?? 0
}
