// A background task over a batch of receipts. When the batch fails, each receipt is retried alone, so that a failing
// receipt delays no other.
import { z } from 'zod'
import { AppError } from '../core/errors.ts'
import type { App } from './context.ts'
import { task } from './task.ts'
import { inTransaction } from './transaction.ts'

const payload = z.strictObject({ receipts: z.array(z.guid()).min(1) })

export const receiptTask = (name: string, run: (app: App, receiptIds: string[]) => Promise<void>) =>
  task({
    name,
    payload,
    async run(app, { receipts }) {
      try {
        await run(app, receipts)
      } catch (error) {
        // The log of a failed job omits the cause.
        if (isStoreDown(error)) app.log.warn({ err: error, task: name }, 'the unavailable object store delays receipts')
        // No receipt causes an object store failure, so retrying each receipt alone does not help.
        if (receipts.length === 1 || isStoreDown(error)) throw error
        app.log.warn(
          { err: error, task: name, receipts: receipts.length },
          'a batch failed; each receipt is retried alone',
        )
        await inTransaction(app, async tx =>
          tx.job(...receipts.map(id => ({ task: name, payload: { receipts: [id] } }))),
        )
      }
    },
  })

const isStoreDown = (error: unknown) => error instanceof AppError && error.code === 'file_store_unavailable'
