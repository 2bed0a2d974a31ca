// Sealing: writes the ISO message and the signed bundle of pending receipts, and asks for their anchors.
import { randomUUID } from 'node:crypto'
import type { App } from '../../kit/context.ts'
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction, type Transaction } from '../../kit/transaction.ts'
import type { ReceiptFacts } from '../artifacts/facts.ts'
import { pain001 } from '../artifacts/messages/pain001.ts'
import { readFacts } from '../artifacts/read-facts.ts'
import { type NewArtifact, storeArtifacts } from '../artifacts/store.ts'
import { buildBundle } from './bundle.ts'

// Each second's receipts share one transaction.
const anchorWindowMs = 1_000

type Sealed = { receiptId: string; bundleHash: string; artifacts: NewArtifact[] }

export const seal = receiptTask('seal', async (app, receiptIds) => {
  const facts = await readFacts(app, receiptIds, 'pending')
  const sealed = await Promise.all(facts.map(receipt => sealOne(app, receipt)))
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

async function sealOne({ signer }: App, receipt: ReceiptFacts): Promise<Sealed> {
  const xml = pain001.build({ receipt, anchor: null })
  const { bytes, bundleHash } = await buildBundle(receipt, { fileName: 'pain001.xml', xml }, signer)
  const receiptId = receipt.id
  const message = {
    receiptId,
    type: pain001.type,
    version: pain001.version,
    name: pain001.fileName,
    mediaType: 'application/xml',
  }
  const bundle = {
    receiptId,
    type: 'evidence',
    version: 'evidence.1',
    name: 'evidence.zip',
    mediaType: 'application/zip',
  }
  return {
    receiptId,
    bundleHash,
    artifacts: [
      { ...message, bytes: Buffer.from(xml) },
      { ...bundle, bytes },
    ],
  }
}

async function move(tx: Transaction, sealed: Sealed[]): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>(
    `update receipts set status = 'awaiting_anchor', bundle_hash = s.hash
     from unnest($1::uuid[], $2::text[]) as s(id, hash) where receipts.id = s.id and status = 'pending' returning receipts.id`,
    [sealed.map(s => s.receiptId), sealed.map(s => s.bundleHash)],
  )
  return rows.map(({ id }) => id)
}
