// A caller runs one large read at a time, so that the aliases of one document do not occupy every database connection.
import type { Context } from './context.ts'
import { perApp } from './per-app.ts'
import { createSemaphore } from './semaphore.ts'

const largeReads = perApp(() =>
  createSemaphore({ atOnce: 2, eachAtOnce: 1, anonymousAtOnce: 1, waiting: 1_000, eachWaiting: 200 }),
)

/** `cost`: what the read was charged. */
export const isLarge = (cost: number): boolean => cost >= 15

export const inTurn = <Result>(context: Context, cost: number, read: () => Promise<Result>): Promise<Result> =>
  isLarge(cost) ? largeReads(context).run(context.allowance, read) : read()
