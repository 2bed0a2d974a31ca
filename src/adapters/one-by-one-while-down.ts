// What gives no answer is asked by one caller at a time until it answers again. All others wait for that one's outcome, but
// not for long: a store that is down must not hold every place of a worker for as long as its timeout.
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

  /** `refusal`: what those are told that are not let through. */
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
