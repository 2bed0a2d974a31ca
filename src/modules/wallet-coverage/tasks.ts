// The `cover_wallet` task: compares a wallet's transfers with the project's receipts in parts, each in a transaction
// with the place that it reached, so that any worker continues behind the last part.
import { AppError } from '../../core/errors.ts'
import type { WalletCoverage } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import { compareBlocks } from './blocks.ts'
import { keptDays, mostFailures } from './bounds.ts'
import { findBlocks, NotComparable } from './open.ts'
import { compareReceipts } from './receipts.ts'

// Comparisons take turns, so that a small one need not wait for a large one.
const turnMs = 2_000

export const coverWallet = task(jobs.coverWallet, async (app, { coverage: id }) => {
  const end = Date.now() + turnMs
  for (;;) {
    const of = await app.db.walletCoverage.findUnique({ where: { id } })
    if (of === null || of.finishedAt !== null || of.failedAt !== null) return
    if (Date.now() > end) return inTransaction(app, async tx => tx.job(jobs.coverWallet({ coverage: id })))
    try {
      await compareNext(app, of)
    } catch (error) {
      if (!(await isGivenUp(app, of, error))) throw error
    }
  }
})

async function compareNext(app: App, of: WalletCoverage): Promise<void> {
  const { nextBlock, toBlock } = of
  const chain = app.paymentChains.get(of.chainKey)
  if (chain === undefined) throw new NotComparable('This service has no nodes of the chain any more.')
  if (toBlock === null || nextBlock === null) return findBlocks(app, chain, of)
  return nextBlock <= toBlock ? compareBlocks(app, chain, { ...of, nextBlock, toBlock }) : compareReceipts(app, of)
}

/** Counts a failure. Returns whether the comparison ends with it: its rows so far stay. */
async function isGivenUp({ db, log }: App, { id, failures, span }: WalletCoverage, error: unknown): Promise<boolean> {
  const isLast = error instanceof NotComparable || failures + 1 >= mostFailures
  const said = error instanceof NotComparable || error instanceof AppError
  const ended = {
    failedAt: new Date(),
    failureReason: said ? error.message : 'A part could not be compared.',
    expiresAt: new Date(Date.now() + keptDays * 86_400_000),
  }
  await db.walletCoverage.updateMany({
    where: { id, failures, finishedAt: null, failedAt: null },
    // Nodes may refuse so many blocks at once, or so many transfers.
    data: { failures: failures + 1, span: Math.max(1, Math.floor(span / 4)), ...(isLast && ended) },
  })
  if (isLast) log.warn({ err: error, coverage: id }, 'a comparison of a wallet was given up')
  return isLast
}
