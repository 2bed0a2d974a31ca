// Deletes kept signatures that nothing needs any more.
import type { Sql } from '../../kit/transaction.ts'

/** Deletes those of these proofs that no linked wallet has and no receipt's bundle states. */
export async function dropProofs(sql: Sql, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // A receipt that is sealed at this moment may come to state one: its transaction is waited for here.
  await sql('select id from wallet_proofs where id = any($1::uuid[]) order by id for no key update', [ids])
  await sql(
    `delete from wallet_proofs p where id = any($1::uuid[])
       and not exists (select from linked_wallets where proof_id = p.id)
       and not exists (select from receipts where receiver_proof_id = p.id)`,
    [ids],
  )
}
