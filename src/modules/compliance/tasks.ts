// Screens receipts: runs the checks that need no network, and enqueues a round of queries for the others.
import { z } from 'zod'
import { receiptTask } from '../../kit/receipt-task.ts'
import { task } from '../../kit/task.ts'
import { inTransaction, sqlOf } from '../../kit/transaction.ts'
import { askRound } from './ask.ts'
import { checksOf } from './policy.ts'
import { askJobs, decide, lockPending, storeChecks } from './store.ts'
import { pendingReceipts } from './subject.ts'

export const screen = receiptTask('screen', async (app, receiptIds) => {
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
      return tx.job({ task: 'seal', payload: { receipts: pending.map(({ subject }) => subject.id) } })
    }
    // If a receipt is screened twice, the other job may have moved it on in the meantime.
    const locked = await lockPending(tx.sql, receiptIds)
    const checks = found.flat().filter(check => locked.has(check.of))
    if (checks.length === 0) return
    await storeChecks(tx.sql, 'receipt_id', checks)
    await decide(tx, [...locked])
    tx.job(...askJobs(checks))
  })
})

/** Runs a round of queries to one provider over the network. */
export const askCompliance = task({
  name: 'ask_compliance',
  payload: z.strictObject({ provider: z.string() }),
  run: (app, { provider }) => askRound(app, provider),
})
