// Screens receipts: runs the checks that need no network, and enqueues a round of queries for the others.
import { type Job, jobs } from '../../kit/jobs.ts'
import { receiptTask } from '../../kit/receipt-task.ts'
import { task } from '../../kit/task.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import { askRound } from './ask.ts'
import { checksOf } from './policy.ts'
import { askNow, decide, lockPending, storeChecks } from './store.ts'
import { pendingReceipts, type ScreenedReceipt } from './subject.ts'

export const screen = receiptTask(jobs.screen, async (app, receiptIds) => {
  const pending = await pendingReceipts(app, sqlOf(app.pool), receiptIds)
  const found = await Promise.all(
    pending.map(async ({ subject, organisation }) =>
      (await checksOf(app, organisation, subject)).map(check => ({ of: subject.id, ...check })),
    ),
  )
  if (found.length === 0) return
  const isPlain = found.flat().every(({ isAwaited, isEnforced }) => !isAwaited && !isEnforced)
  await inTransaction(app, async tx => {
    if (isPlain) {
      // No check is enforced or awaited, so nothing is decided. A lock would only write each row once more.
      await storeChecks(tx.sql, 'receipt_id', found.flat())
      return tx.job(...next(pending))
    }
    // If a receipt is screened twice, the other job may have moved it on in the meantime.
    const locked = await lockPending(tx.sql, receiptIds)
    const checks = found.flat().filter(check => locked.has(check.of))
    if (checks.length === 0) return
    await storeChecks(tx.sql, 'receipt_id', checks)
    await decide(tx, [...locked])
    tx.job(...askNow(checks))
  })
})

/** The check of a payment on its own chain enqueues the seal. */
function next(screened: readonly ScreenedReceipt[]): Job[] {
  const of = (checked: boolean) =>
    screened.filter(({ isChecked }) => isChecked === checked).map(({ subject }) => subject.id)
  const [checked, others] = [of(true), of(false)]
  return [
    ...(checked.length > 0 ? [jobs.checkSettlement({ receipts: checked })] : []),
    ...(others.length > 0 ? [jobs.seal({ receipts: others })] : []),
  ]
}

/** Runs a round of queries to one provider over the network. */
export const askCompliance = task(jobs.askCompliance, (app, { provider }) => askRound(app, provider))
