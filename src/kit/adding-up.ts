// Adds up rows for a caller: few statements at once, each for a limited time.
import { DatabaseError } from 'pg'
import { AppError } from '../core/errors.ts'
import type { Context } from './context.ts'
import { perApp } from './per-app.ts'
import { createSemaphore } from './semaphore.ts'
import { semaphoreLimits } from './semaphore-limits.ts'
import { inTransaction, type Sql } from './transaction.ts'

const timeout = '10s'

const semaphore = perApp(() => createSemaphore(semaphoreLimits.sums))

/** Runs statements that add up `what`; `run` charges the rows. Errors: `too_many_requests`, `caller_gone`. */
export const addingUp = <T>(context: Context, what: string, run: (sql: Sql) => Promise<T>): Promise<T> =>
  semaphore(context).run(context.allowance, () =>
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
