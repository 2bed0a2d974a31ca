// Reporting: the messages that say what became of an anchored payment. They lie outside the sealed bundle.
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import { reportsOf } from '../settings/organisation.ts'
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

/** pain.002 reports on a customer's initiation; what a refund seals is a return, on which pacs.002 reports. */
const reportTypesFor = ({ receipt, organisation }: RecordedFacts) =>
  reportsOf(organisation).flatMap(type =>
    receipt.refundOf === null || type !== 'pain.002'
      ? [type]
      : reportsOf(organisation).includes('pacs.002')
        ? []
        : ['pacs.002' as const],
  )
