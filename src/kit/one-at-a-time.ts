// Work that would starve everything else if it ran side by side runs one after another, and not too much of it waits.
import { AppError } from '../core/errors.ts'

/** Throws `too_many_requests` when so many are waiting already. */
export function oneAtATime(waitingAtMost: number) {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  /** Throws as the turn itself would. */
  const admit = () => {
    if (waiting >= waitingAtMost) throw new AppError('too_many_requests', undefined, { retryAfterSeconds: 10 })
  }
  /** For whoever was admitted earlier: waits, however many do. */
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
