// A circuit breaker: while a dependency is down, one caller at a time tries it, until an attempt succeeds. The other
// callers wait for that attempt at most a second, because otherwise a store that is down would occupy all job slots of
// a worker until its timeout.
import { setTimeout as sleep } from 'node:timers/promises'

const patienceMs = 1_000

export function oneByOneWhileDown() {
  let isDown = false
  let trial: Promise<unknown> | null = null

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      isDown = false
      return result
    } catch (error) {
      isDown = true
      throw error
    }
  }

  /** Runs `work`; throws `refusal()` without running it when the attempt of another caller has failed or still runs. */
  return async <T>(work: () => Promise<T>, refusal: () => Error): Promise<T> => {
    if (isDown && trial !== null) {
      await Promise.race([trial, sleep(patienceMs, undefined, { ref: false })])
      if (isDown) throw refusal()
    }
    const attempted = attempt(work)
    if (isDown) {
      const over = () => {
        trial = null
      }
      trial = attempted.then(over, over)
    }
    return attempted
  }
}
