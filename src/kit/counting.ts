// Counts and adds up rows for a caller, who pays for the rows that are read.
import { DatabaseError } from 'pg'
import { AppError } from '../core/errors.ts'
import type { Context } from './context.ts'
import { countedPerUnit } from './field-cost.ts'
import { perApp } from './per-app.ts'
import { createSemaphore } from './semaphore.ts'
import { semaphoreLimits } from './semaphore-limits.ts'
import { inTransaction, type Sql } from './transaction.ts'

/** The number of entries, and how many rows were read to learn it. */
export type Count = { total: number; read: number }

const counts = perApp(() => createSemaphore(semaphoreLimits.counts))

/** Counts the entries of a list. Errors: `too_many_requests`, `caller_gone`. */
export const counted = (context: Context, count: () => Promise<Count>): Promise<number> =>
  counts(context).run(context.allowance, async () => charged(context, await count()))

/** Charges the caller for the rows that were read. */
export function charged({ allowance }: Context, { total, read }: Count): number {
  allowance.spend(Math.floor(read / countedPerUnit))
  return total
}

const timeout = '10s'

const sums = perApp(() => createSemaphore(semaphoreLimits.sums))

/** Runs statements that add up `what`; `run` charges the rows. Errors: `too_many_requests`, `caller_gone`. */
export const addingUp = <T>(context: Context, what: string, run: (sql: Sql) => Promise<T>): Promise<T> =>
  sums(context).run(context.allowance, () =>
    inTransaction(context, async ({ sql }) => {
      await sql(`set local statement_timeout = '${timeout}'`)
      return run(sql)
    }).catch(error => {
      throw isTimeout(error) ? tooSlow(what, error) : error
    }),
  )

const isTimeout = (error: unknown) => error instanceof DatabaseError && error.code === '57014'

const tooSlow = (what: string, cause: unknown) =>
  new AppError('too_many_requests', `The ${what} could not be added up within ${timeout}. Ask for fewer.`, {
    cause,
    retryAfterSeconds: 10,
  })
