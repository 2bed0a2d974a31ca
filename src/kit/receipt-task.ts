// A background step over receipts. It handles many at once; when the group fails, it enqueues a job for each receipt, so that
// a receipt that cannot proceed delays no other.
import { AppError } from '../core/errors.ts'
import type { App } from './context.ts'
import type { ReceiptJob } from './jobs.ts'
import { task } from './task.ts'
import { inTransaction } from './transaction.ts'

export const receiptTask = <Declared extends ReceiptJob>(
  job: Declared,
  run: (app: App, receiptIds: string[]) => Promise<void>,
) =>
  task<Declared['task'], Declared['payload']>(job, async (app, { receipts }) => {
    try {
      await run(app, receipts)
    } catch (error) {
      // The log of a failed job leaves out the cause.
      if (isStoreDown(error)) app.log.warn({ err: error, task: job.task }, 'the object store holds up receipts')
      // An object store that is down fails each receipt alone as well.
      if (receipts.length === 1 || isStoreDown(error)) throw error
      app.log.warn(
        { err: error, task: job.task, receipts: receipts.length },
        'a group failed; each receipt goes on alone',
      )
      await inTransaction(app, async tx => tx.job(...receipts.map(id => job({ receipts: [id] }))))
    }
  })

const isStoreDown = (error: unknown) => error instanceof AppError && error.code === 'file_store_unavailable'
