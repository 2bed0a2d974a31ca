// Sealing: writes the ISO message and the signed bundle of pending receipts, and asks for their anchors.
import { randomUUID } from 'node:crypto'
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
    await tx.sql(
      `insert into anchors (id, receipt_id, chain, bundle_hash) select a.id, a.receipt_id, $1, a.hash
       from unnest($2::uuid[], $3::uuid[], $4::text[]) as a(id, receipt_id, hash) on conflict do nothing`,
      [chain.name, fresh.map(() => randomUUID()), fresh.map(s => s.receiptId), fresh.map(s => s.bundleHash)],
    )
    tx.changed(...moved)
    const lane = `anchor:${chain.name}`
    tx.job({ task: 'anchor', payload: { chain: chain.name }, queue: lane, key: lane, afterMs: anchorWindowMs })
  })
})

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
