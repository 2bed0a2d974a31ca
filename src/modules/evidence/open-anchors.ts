// Requests the anchors of bundles.
import { jobs } from '../../kit/jobs.ts'
import type { Transaction } from '../../kit/transaction.ts'

export type NeededAnchor = {
  owner: { receiptId: string } | { statementId: string } | { settlementId: string }
  bundleHash: string
  chain: string
  /** The project sends the transaction itself. */
  isTenant: boolean
}

/**
 * Inserts the anchors. Enqueues the job that sends those of the service, so late that bundles which are sealed within
 * `windowMs` share a transaction.
 */
export async function openAnchors(tx: Transaction, needed: readonly NeededAnchor[], windowMs: number): Promise<void> {
  const rows = await tx.sql<{ chain: string; state: string }>(
    `insert into anchors (id, receipt_id, statement_id, bundle_hash, chain, state, settlement_id)
     select gen_random_uuid(), * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::anchor_state[], $6::uuid[])
     on conflict do nothing returning chain, state`,
    [
      needed.map(({ owner }) => ('receiptId' in owner ? owner.receiptId : null)),
      needed.map(({ owner }) => ('statementId' in owner ? owner.statementId : null)),
      needed.map(({ bundleHash }) => bundleHash),
      needed.map(({ chain }) => chain),
      needed.map(({ isTenant }) => (isTenant ? 'external' : 'waiting')),
      needed.map(({ owner }) => ('settlementId' in owner ? owner.settlementId : null)),
    ],
    'open-anchors',
  )
  const chains = new Set(rows.filter(({ state }) => state === 'waiting').map(row => row.chain))
  for (const chain of chains) tx.job(jobs.anchor({ chain }, { afterMs: windowMs }))
}
