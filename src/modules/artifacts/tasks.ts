// Reporting: the messages that say what became of an anchored payment. They lie outside the sealed bundle.
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import type { AnchorFacts } from './facts.ts'
import { camt054 } from './messages/camt054.ts'
import { pain002 } from './messages/pain002.ts'
import { readFacts } from './read-facts.ts'
import { storeArtifacts } from './store.ts'

export const report = receiptTask('report', async (app, receiptIds) => {
  const receipts = await readFacts(app, receiptIds, 'anchored')
  const { rows } = await app.pool.query<AnchorFacts & { receiptId: string }>(
    `select distinct on (a.receipt_id) a.receipt_id as "receiptId", a.chain, t.txid, t.block_number::int as "blockNumber",
       t.block_time as "anchoredAt", a.bundle_hash as "bundleHash"
     from anchors a join anchor_transactions t on t.id = a.transaction_id
     where a.receipt_id = any($1::uuid[]) and a.state = 'confirmed' order by a.receipt_id, t.block_time`,
    [receiptIds],
  )
  const anchors = new Map(rows.map(({ receiptId, ...anchor }) => [receiptId, anchor]))
  const artifacts = receipts.flatMap(receipt =>
    [pain002, camt054].map(message => ({
      receiptId: receipt.id,
      type: message.type,
      version: message.version,
      name: message.fileName,
      mediaType: 'application/xml',
      bytes: Buffer.from(message.build({ receipt, anchor: anchors.get(receipt.id) ?? null })),
    })),
  )
  await inTransaction(app, tx => storeArtifacts(tx, artifacts))
})
