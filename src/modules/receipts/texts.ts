// Keeps a late writer from bringing back what was erased: it reads the texts of receipts, and stores a file with them
// in a later transaction.
import type { Sql } from '../../kit/transaction.ts'

/** Returns those of the receipts that are not erased. */
export const unerased = (sql: Sql, ids: readonly string[]): Promise<string[]> => read(sql, ids, '')

/** The same, and none of them is erased before this transaction ends. */
export const lockUnerased = (sql: Sql, ids: readonly string[]): Promise<string[]> => read(sql, ids, 'for share')

async function read(sql: Sql, ids: readonly string[], lock: string): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `select id from receipts where id = any($1::uuid[]) and erased_at is null order by id ${lock}`,
    [ids],
  )
  return rows.map(({ id }) => id)
}
