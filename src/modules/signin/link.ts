// Links a wallet to a project, with the signature that proves it, and ends such a link.
import type { Sql } from '../../kit/transaction.ts'
import type { KeptProof } from '../control/proof.ts'
import { dropProofs } from '../control/store.ts'

/**
 * Returns whether the wallet was not linked yet. A link that has a proof keeps it, because bundles may state it; one
 * without gets this one.
 */
export async function linkWallet(sql: Sql, projectId: string, proof: KeptProof): Promise<boolean> {
  const fresh = await sql(
    'insert into linked_wallets (project_id, address) values ($1::uuid, $2) on conflict do nothing returning address',
    [projectId, proof.address],
  )
  // The row is locked, so that of two verifications at one time the first keeps its proof.
  const lacking = await sql(
    'select address from linked_wallets where project_id = $1::uuid and address = $2 and proof_id is null for no key update',
    [projectId, proof.address],
  )
  if (lacking.length > 0) await keep(sql, projectId, proof)
  return fresh.length > 0
}

async function keep(sql: Sql, projectId: string, proof: KeptProof): Promise<void> {
  const { address, kind, method, message, signature, at } = proof
  await sql(
    `with kept as (
       insert into wallet_proofs (project_id, address, kind, method, message, signature, network, block_number, block_hash)
       values ($1::uuid, $2, $3::wallet_proof_kind, $4::wallet_proof_method, $5, $6, $7, $8::bigint, $9) returning id
     )
     update linked_wallets set proof_id = kept.id from kept where project_id = $1::uuid and address = $2`,
    [
      projectId,
      address,
      kind,
      method,
      message,
      signature,
      at?.network ?? null,
      at?.blockNumber ?? null,
      at?.blockHash ?? null,
    ],
  )
}

/** Returns whether the wallet was linked. Its proof is deleted with the link, unless a bundle states it. */
export async function endLink(sql: Sql, projectId: string, address: string): Promise<boolean> {
  const ended = await sql<{ proofId: string | null }>(
    'delete from linked_wallets where project_id = $1::uuid and address = $2 returning proof_id as "proofId"',
    [projectId, address],
  )
  await dropProofs(
    sql,
    ended.flatMap(({ proofId }) => proofId ?? []),
  )
  return ended.length > 0
}
