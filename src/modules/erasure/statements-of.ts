// Finds the statements whose files can state a receipt.
import type { Sql } from '../../kit/transaction.ts'

/**
 * SQL. A receipt is booked when it is anchored or settled, perhaps again after its block was lost: each time has an
 * audit row of the same transaction. A statement that was made after the erasure does not have the texts; it may have
 * its time from another clock.
 */
const booked = `
  own as (
    select id, project_id, booked_at, coalesce(erased_at + interval '15 minutes', 'infinity') as until,
      array[sender_key, receiver_key, lower(sender_wallet), lower(receiver_wallet)] as wallets
    from receipts where id = any($1::uuid[])
  ), booked as (
    select own.*, booked_at as at from own where booked_at is not null
    union select own.*, a.created_at from own join audit_events a
      on a.project_id = own.project_id and a.object_id = own.id::text and a.action <> 'receipt.erase'
  )`

const isOver = 'at >= s."from" and at < s."to" and s.created_at < until'

/**
 * Returns the statements of the receipts' project: those with one of them as an entry, copies of these, and all others
 * over a time at which one was booked, without those of other accounts.
 */
export const ownStatements = (sql: Sql, ids: readonly string[]): Promise<string[]> =>
  read(
    sql,
    `with ${booked}, numbered as (
       select s.id, s.project_id, s.day, s.created_at, until
       from own join statement_entries e on e.receipt_id = own.id join statements s on s.id = e.statement_id
     )
     select id from numbered where created_at < until
     union
     select s.id from numbered join statements s on s.project_id = numbered.project_id and s.day = numbered.day
     where s.kind = 'copy' and s.created_at < until
     union
     select s.id from booked join statements s on s.project_id = booked.project_id and ${isOver}
     where s.kind <> 'series' and (s.account_id is null or exists (
       select from statement_accounts a where a.id = s.account_id and a.wallet_key = any(wallets)
     ))`,
    ids,
  )

/** Returns the statements of the receipts' wallets over all projects. Their payers own them, and no project does. */
export const walletStatements = (sql: Sql, ids: readonly string[]): Promise<string[]> =>
  read(
    sql,
    `with ${booked}
     select s.id from booked join statements s on s.project_id is null and s.wallet = any(wallets) and ${isOver}`,
    ids,
  )

async function read(sql: Sql, text: string, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>(text, [ids])
  return rows.map(({ id }) => id)
}
