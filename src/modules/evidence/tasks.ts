// Sealing: writes the ISO message and the signed bundle of pending receipts, and asks for their anchors.
import type { App } from '../../kit/context.ts'
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction, sqlOf, type Transaction } from '../../kit/transaction.ts'
import { inLife } from '../artifacts/facts.ts'
import { sealedMessage } from '../artifacts/messages/sealed.ts'
import { type RecordedFacts, readFacts } from '../artifacts/read-facts.ts'
import { messageArtifact, type NewArtifact, storeArtifacts } from '../artifacts/store.ts'
import { buildBundle } from './bundle.ts'

// Each second's receipts share one transaction.
const anchorWindowMs = 1_000

type Sealed = { receiptId: string; bundleHash: string; artifacts: NewArtifact[] }

export const seal = receiptTask('seal', async (app, receiptIds) => {
  const pending = (await readFacts(app, sqlOf(app.pool), receiptIds)).filter(({ status }) => status === 'pending')
  const sealed = await Promise.all(pending.map(facts => sealOne(app, facts)))
  const [chain] = app.chains
  await inTransaction(app, async tx => {
    const moved = new Set(await move(tx, sealed))
    const fresh = sealed.filter(({ receiptId }) => moved.has(receiptId))
    if (fresh.length === 0) return
    await storeArtifacts(
      tx,
      fresh.flatMap(({ artifacts }) => artifacts),
    )
    const lanes = await openAnchors(tx, chain.name, fresh)
    tx.changed(...moved)
    for (const name of lanes) {
      const lane = `anchor:${name}`
      tx.job({ task: 'anchor', payload: { chain: name }, queue: lane, key: lane, afterMs: anchorWindowMs })
    }
  })
})

/**
 * In tenant mode a project sends its own anchors, on the chains it named: they are noted and never sent by us. Answers the
 * chains on which there is something to send.
 */
async function openAnchors(tx: Transaction, chain: string, sealed: Sealed[]): Promise<Set<string>> {
  const rows = await tx.sql<{ chain: string; state: string }>(
    `insert into anchors (id, receipt_id, chain, bundle_hash, state)
     select gen_random_uuid(), s.receipt_id, named.chain, s.hash, case when set_up.is_tenant then 'external' else 'waiting' end::anchor_state
     from unnest($1::uuid[], $2::text[]) as s(receipt_id, hash)
     join receipts r on r.id = s.receipt_id join projects p on p.id = r.project_id
     cross join lateral (
       select coalesce(p.config->'anchoring'->>'executionMode' = 'tenant', false) as is_tenant, p.config->'anchoring'->'chains' as chains
     ) as set_up
     cross join lateral (
       select $3::text as chain where not set_up.is_tenant or jsonb_array_length(set_up.chains) = 0
       union all
       select own->>'name' from jsonb_array_elements(case when set_up.is_tenant then set_up.chains else '[]' end) as own
     ) as named
     on conflict do nothing returning chain, state`,
    [sealed.map(s => s.receiptId), sealed.map(s => s.bundleHash), chain],
  )
  return new Set(rows.filter(({ state }) => state === 'waiting').map(row => row.chain))
}

async function sealOne({ signer }: App, { receipt, organisation, refundReason }: RecordedFacts): Promise<Sealed> {
  const occasion = inLife(receipt, receipt.createdAt, refundReason)
  const message = messageArtifact(sealedMessage(receipt), { receipt, organisation, anchor: null, occasion })
  const { bytes, bundleHash } = await buildBundle(receipt, message, signer)
  const receiptId = receipt.id
  const bundle = {
    owner: { receiptId },
    type: 'evidence',
    version: 'evidence.1',
    name: 'evidence.zip',
    mediaType: 'application/zip',
  }
  return { receiptId, bundleHash, artifacts: [message, { ...bundle, bytes }] }
}

async function move(tx: Transaction, sealed: Sealed[]): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>(
    `update receipts set status = 'awaiting_anchor', bundle_hash = s.hash
     from unnest($1::uuid[], $2::text[]) as s(id, hash) where receipts.id = s.id and status = 'pending' returning receipts.id`,
    [sealed.map(s => s.receiptId), sealed.map(s => s.bundleHash)],
  )
  return rows.map(({ id }) => id)
}
