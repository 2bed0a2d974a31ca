// Reporting: the messages that say what became of an anchored payment. They lie outside the sealed bundle.
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import { type ReportType, reportsOf } from '../settings/organisation.ts'
import { inLife } from './facts.ts'
import { messageOf } from './messages/registry.ts'
import { type RecordedFacts, readAnchors, readFacts } from './read-facts.ts'
import { messageArtifact, storeArtifacts } from './store.ts'

export const report = receiptTask('report', async (app, receiptIds) => {
  const anchored = (await readFacts(app, sqlOf(app.pool), receiptIds)).filter(({ status }) => status === 'anchored')
  const anchors = await readAnchors(sqlOf(app.pool), receiptIds)
  const artifacts = anchored.flatMap(facts => {
    const anchor = anchors.get(facts.receipt.id) ?? null
    const occasion = inLife(facts.receipt, anchor?.anchoredAt ?? facts.receipt.createdAt)
    return reportTypesFor(facts).map(type => messageArtifact(messageOf(type), { ...facts, anchor, occasion }))
  })
  await inTransaction(app, tx => storeArtifacts(tx, artifacts))
})

/**
 * A refund sealed a return: on that pacs.002 reports and not pain.002, and to tell it as a credit transfer too (pacs.008,
 * remt.001) would be telling two payments.
 */
function reportTypesFor({ receipt, organisation }: RecordedFacts): ReportType[] {
  const reports = reportsOf(organisation)
  if (receipt.refundOf === null) return reports
  const status = reports.includes('pain.002') || reports.includes('pacs.002')
  return [...(status ? ['pacs.002' as const] : []), ...reports.filter(type => type === 'camt.054')]
}
