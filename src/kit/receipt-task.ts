// A background task over a batch of receipts. Jobs of one task that run at the same time share a batch. When the batch
// fails, each receipt is retried alone, so that a failing receipt delays no other.
import { AppError } from '../core/errors.ts'
import { batchWhileBusy } from './batch-while-busy.ts'
import type { App } from './context.ts'
import type { ReceiptJob } from './jobs.ts'
import { perApp } from './per-app.ts'
import { task } from './task.ts'
import { inTransaction } from './transaction.ts'

// Most of the time for a job of a few receipts does not depend on their number. A job of more does not wait for others.
const few = 32

export function receiptTask<Declared extends ReceiptJob>(
  job: Declared,
  run: (app: App, receiptIds: string[]) => Promise<void>,
) {
  const together = perApp(app =>
    batchWhileBusy(async (batches: string[][]) => {
      // Two jobs may name one receipt.
      await run(app, [...new Set(batches.flat())])
      return batches.map(() => undefined)
    }),
  )
  return task<Declared['task'], Declared['payload']>(job, async (app, { receipts }) => {
    try {
      await (receipts.length > few ? run(app, receipts) : together(app)(receipts))
    } catch (error) {
      // The log of a failed job omits the cause.
      if (isStoreDown(error))
        app.log.warn({ err: error, task: job.task }, 'the unavailable object store delays receipts')
      // No receipt causes an object store failure, so retrying each receipt alone does not help.
      if (receipts.length === 1 || isStoreDown(error)) throw error
      app.log.warn(
        { err: error, task: job.task, receipts: receipts.length },
        'a batch failed; each receipt is retried alone',
      )
      await inTransaction(app, async tx => tx.job(...receipts.map(id => job({ receipts: [id] }))))
    }
  })
}

const isStoreDown = (error: unknown) => error instanceof AppError && error.code === 'file_store_unavailable'
