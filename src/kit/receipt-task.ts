// A background step over receipts. It takes many at once; when the group fails, each is tried for itself, so that
// one that cannot go on holds up no other.
import { z } from 'zod'
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
        if (receipts.length === 1) throw error
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
