// The `check_settlement` task: checks the payments of receipts on their own chains, before they are sealed, and again
// afterwards until the result is definitive.
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { receiptTask } from '../../kit/receipt-task.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import { presentConfiguration } from '../settings/read.ts'
import { checkPayments } from './check.ts'
import { decide } from './decide.ts'
import { documentOf, type Finding, nothing } from './document.ts'
import { keepLater } from './later.ts'
import { type Checked, type OpenReceipt, readOpen } from './open.ts'
import { store } from './store.ts'

export const checkSettlement = receiptTask(jobs.checkSettlement, async (app, receiptIds) => {
  const open = await readOpen(app, sqlOf(app.pool), receiptIds)
  // A result that suffices is not replaced: the bundle may be in the making.
  const ready = open.filter(({ status, isReady }) => status === 'pending' && isReady)
  const due = open.filter(({ isReady }) => !isReady)
  const checked = (
    await Promise.all([...Map.groupBy(due, ({ chainKey }) => chainKey)].map(one => checkOn(app, ...one)))
  ).flat()
  const later = await keepLater(app, checked)
  await inTransaction(app, async tx => {
    if (ready.length > 0) tx.job(jobs.seal({ receipts: ready.map(({ id }) => id) }))
    if (checked.length === 0) return
    const stored = await store(tx, checked)
    await decide(tx, stored)
    await later.store(tx, stored)
  })
})

async function checkOn(app: App, caip2: string, receipts: readonly OpenReceipt[]): Promise<Checked[]> {
  const chain = app.paymentChains.get(caip2)
  const at = new Date()
  const assets = await assetsOf(app, receipts)
  const findings =
    chain === undefined
      ? receipts.map((): Finding => ({ ...nothing, status: 'unsupported_chain' }))
      : await checkPayments(
          chain,
          app.knownAssets,
          receipts.map(receipt => ({ ...receipt, assets: assets.get(receipt.projectId) ?? [] })),
        )
  const queried = chain ?? { caip2, nodes: 0, quorum: 0, finality: { confirmations: 0 } }
  return receipts.flatMap((receipt, index) => {
    const finding = findings[index]
    return finding === undefined ? [] : { receipt, finding, document: documentOf(queried, finding, at) }
  })
}

/** Returns the present meanings of labels, so that a check that is repeated after a correction succeeds. */
async function assetsOf(app: App, receipts: readonly OpenReceipt[]) {
  const projects = [...new Set(receipts.map(({ projectId }) => projectId))]
  return new Map(
    await Promise.all(
      projects.map(async id => [id, (await presentConfiguration(app, sqlOf(app.pool), id)).checks.assets] as const),
    ),
  )
}
