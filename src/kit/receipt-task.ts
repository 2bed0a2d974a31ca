// A background step over receipts. It takes many at once; when the group fails, each is tried for itself, so that
// one that cannot go on holds up no other.
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
        // The log of a failed job leaves out the cause.
        if (isStoreDown(error)) app.log.warn({ err: error, task: name }, 'the object store holds up receipts')
        // What no receipt is to blame for is no better alone.
        if (receipts.length === 1 || isStoreDown(error)) throw error
        app.log.warn(
          { err: error, task: name, receipts: receipts.length },
          'a group failed; each receipt goes on alone',
        )
        await inTransaction(app, async tx =>
          tx.job(...receipts.map(id => ({ task: name, payload: { receipts: [id] } }))),
        )
      }
    },
  })

const isStoreDown = (error: unknown) => error instanceof AppError && error.code === 'file_store_unavailable'
