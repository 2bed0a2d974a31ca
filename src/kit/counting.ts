// Counts the entries of a list for a caller, who pays for the rows that are read.
import type { Context } from './context.ts'
import { countedPerUnit } from './field-cost.ts'
import { perApp } from './per-app.ts'
import { createSemaphore } from './semaphore.ts'
import { semaphoreLimits } from './semaphore-limits.ts'

/** The number of entries, and how many rows were read to learn it. */
export type Count = { total: number; read: number }

const counts = perApp(() => createSemaphore(semaphoreLimits.counts))

/** Errors: `too_many_requests`, `caller_gone`. */
export const counted = (context: Context, count: () => Promise<Count>): Promise<number> =>
  counts(context).run(context.allowance, async () => charged(context, await count()))

/** Charges the caller for the rows that were read. */
export function charged({ allowance }: Context, { total, read }: Count): number {
  allowance.spend(Math.floor(read / countedPerUnit))
  return total
}
