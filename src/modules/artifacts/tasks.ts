// The `report` task: makes the status and notification messages of anchored receipts, outside the sealed bundle.
import { jobs } from '../../kit/jobs.ts'
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import { type AnchorFacts, inLife, isSettled, isSettledLater } from '../iso20022/facts.ts'
import { checkedSuffix, settledSuffix } from '../iso20022/messages/message.ts'
import { type MessageType, messageOf } from '../iso20022/messages/registry.ts'
import { receiptUetr } from '../iso20022/slots.ts'
import { lockUnerased, unerased } from '../receipts/texts.ts'
import { reportsOf } from '../settings/organisation.ts'
import { type RecordedFacts, readAnchors, readFacts } from './read-facts.ts'
import { dropBytes, type KeptArtifact, keepBytes, messageArtifact, storeArtifacts } from './store.ts'

export const report = receiptTask(jobs.report, async (app, receiptIds) => {
  const present = new Set(await unerased(sqlOf(app.pool), receiptIds))
  const ids = receiptIds.filter(id => present.has(id))
  const anchored = (await readFacts(app, sqlOf(app.pool), ids)).filter(({ status }) => status === 'anchored')
  const anchors = await readAnchors(sqlOf(app.pool), ids)
  const artifacts = anchored.flatMap(facts => {
    const { receipt } = facts
    const anchor = anchors.get(receipt.id) ?? null
    const { at, suffix } = stageOf(facts, anchor)
    const life = inLife(receipt, at ?? receipt.createdAt)
    const occasion = suffix === '' ? life : { ...life, id: receiptUetr(`${receipt.id}\n${suffix.slice(1)}`) }
    return reportTypesFor(facts, anchor).map(type =>
      messageArtifact(messageOf(type), { ...facts, anchor, occasion }, suffix),
    )
  })
  const kept = await Promise.all(artifacts.map(artifact => keepBytes(app, artifact)))
  const toPublish = anchored.filter(({ organisation }) => organisation.evidence.store.mode === 'ipfs')
  await inTransaction(app, async tx => {
    const still = new Set(await lockUnerased(tx.sql, ids))
    const isStill = ({ owner }: KeptArtifact) => 'receiptId' in owner && still.has(owner.receiptId)
    await storeArtifacts(tx, kept.filter(isStill))
    dropBytes(
      tx,
      kept.filter(artifact => !isStill(artifact)),
    )
    if (toPublish.length === 0) return
    tx.job(jobs.publish({ receipts: toPublish.map(({ receipt }) => receipt.id) }))
  })
})

/** Returns when messages are made, and the suffix of their names, after what happened to the receipt last. */
function stageOf({ receipt, rebookings }: RecordedFacts, anchor: AnchorFacts | null) {
  if (rebookings > 0) return { at: receipt.settlement?.checkedAt, suffix: checkedSuffix(rebookings) }
  return isSettledLater(receipt)
    ? { at: anchor?.bookedAt, suffix: settledSuffix }
    : { at: anchor?.anchoredAt, suffix: '' }
}

/**
 * Returns the report types for a receipt. A refund's sealed message is a return (pacs.004), whose status pacs.002
 * reports and not pain.002. A credit transfer beside it (pacs.008, remt.001) would report a second payment, and so
 * would a camt.054 of a movement that is booked as another receipt's.
 */
function reportTypesFor({ receipt, organisation }: RecordedFacts, anchor: AnchorFacts | null): MessageType[] {
  const isEntry = anchor === null || anchor.bookedAt !== null || !isSettled(receipt)
  const reports = reportsOf(organisation).filter(type => isEntry || type !== 'camt.054')
  if (receipt.refundOf === null) return reports
  const status = reports.includes('pain.002') || reports.includes('pacs.002')
  return [...(status ? ['pacs.002' as const] : []), ...reports.filter(type => type === 'camt.054')]
}
