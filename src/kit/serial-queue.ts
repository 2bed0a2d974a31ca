// A serial queue of limited length, for work that would starve all other work if it ran concurrently.
import PQueue from 'p-queue'
import { AppError } from '../core/errors.ts'

/** Returns a queue whose calls throw `too_many_requests` when `waitingAtMost` calls wait or run already. */
export function serialQueue(waitingAtMost: number) {
  const queue = new PQueue({ concurrency: 1 })
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (queue.size + queue.pending >= waitingAtMost)
      throw new AppError('too_many_requests', undefined, { retryAfterSeconds: 10 })
    return queue.add(work)
  }
}
