// A background task over a batch of receipts. Jobs of one task that run at the same time share a batch. When the batch
// fails, each receipt is retried alone, so that a failing receipt delays no other.
import { AppError } from '../core/errors.ts'
import type { Origin } from '../core/scope.ts'
import { batchWhileBusy } from './batch-while-busy.ts'
import type { App } from './context.ts'
import type { ReceiptJob } from './jobs.ts'
import { originsOfReceipts } from './origins.ts'
import { perApp } from './per-app.ts'
import { carriedOut, type Task } from './task.ts'
import { inTransaction } from './transaction.ts'

// Most of the time for a job of a few receipts does not depend on their number. A job of more does not wait for others.
const few = 32

export function receiptTask<Declared extends ReceiptJob>(
  job: Declared,
  run: (app: App, receiptIds: string[]) => Promise<void>,
): Task<Declared['task']> {
  async function runAll(app: App, parts: Part[]): Promise<void> {
    // Two jobs may name one receipt.
    const receipts = [...new Set(parts.flatMap(part => part.receipts))]
    const origins = [...parts.flatMap(part => part.origins), ...(await originsOfReceipts(app, receipts))]
    await carriedOut(app, { task: job.task, origins, receipts: receipts.length }, () => run(app, receipts))
  }
  const together = perApp(app =>
    batchWhileBusy(async (parts: Part[]) => {
      await runAll(app, parts)
      return parts.map(() => undefined)
    }),
  )
  async function runOne(app: App, part: Part): Promise<void> {
    const { receipts } = part
    try {
      await (receipts.length > few ? runAll(app, [part]) : together(app)(part))
    } catch (error) {
      // No receipt causes an object store failure, so retrying each receipt alone does not help.
      if (receipts.length === 1 || isStoreDown(error)) throw error
      app.log.warn({ task: job.task, receipts: receipts.length }, 'a batch failed; each receipt is retried alone')
      await inTransaction(app, async tx => tx.job(...receipts.map(id => job({ receipts: [id] }))))
    }
  }
  return {
    name: job.task,
    run: (app, raw, origins = []) => runOne(app, { receipts: job.payload.parse(raw).receipts, origins }),
  }
}

type Part = { receipts: string[]; origins: readonly Origin[] }

const isStoreDown = (error: unknown) => error instanceof AppError && error.code === 'file_store_unavailable'
