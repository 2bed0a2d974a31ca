// A serial queue of limited length, for work that would starve all other work if it ran concurrently.
import { AppError } from '../core/errors.ts'

/** Returns a queue whose calls throw `too_many_requests` when `waitingAtMost` calls wait already. */
export function serialQueue(waitingAtMost: number) {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  /** Throws when a call would be refused now. */
  const admit = () => {
    if (waiting >= waitingAtMost) throw new AppError('too_many_requests', undefined, { retryAfterSeconds: 10 })
  }
  /** Queues work that was admitted earlier, however many calls wait. */
  const wait = async <T>(work: () => Promise<T>): Promise<T> => {
    waiting += 1
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      waiting -= 1
    }
  }
  const turn = async <T>(work: () => Promise<T>): Promise<T> => {
    admit()
    return wait(work)
  }
  return Object.assign(turn, { admit, wait })
}
