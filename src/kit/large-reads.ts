// Runs large reads in turn, and refuses those that are too large.
import { AppError } from '../core/errors.ts'
import type { Context } from './context.ts'
import { perApp } from './per-app.ts'
import { createSemaphore } from './semaphore.ts'
import { semaphoreLimits } from './semaphore-limits.ts'

// Each standby reads as many as the primary; at most as many as leave the primary connections if all standbys fail.
const largeReads = perApp(({ standbys }) => {
  const servers = Math.min(3, 1 + (standbys?.faults().size ?? 0))
  const { atOnce, anonymousAtOnce, ...others } = semaphoreLimits.largeReads
  return createSemaphore({ ...others, atOnce: atOnce * servers, anonymousAtOnce: anonymousAtOnce * servers })
})

/** `cost`: what the read was charged. */
export const isLarge = (cost: number): boolean => cost >= 15

/** By the context of a query: the keys of root fields that are too large to read. */
const refused = new WeakMap<object, Set<string>>()

/** Makes the resolver of a root field report that SQL could not read the field, because resolvers would take longer. */
export function refuseRead(context: Context, key: string): void {
  refused.set(context, (refused.get(context) ?? new Set()).add(key))
}

/** Throws `answer_too_large` for a root field that was refused. */
export function demandReadable(context: Context, key: string): void {
  if (refused.get(context)?.has(key)) throw new AppError('answer_too_large')
}

export const inTurn = <Result>(context: Context, cost: number, read: () => Promise<Result>): Promise<Result> =>
  isLarge(cost) ? largeReads(context).run(context.allowance, read) : read()
