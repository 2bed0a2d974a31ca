// One bound for the processor time that callers without credentials take together. What they send is parsed, validated
// and compiled without a pause, and whoever has many addresses has many limits; callers with credentials do not wait
// for them longer than one turn takes.
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises'
import type { Allowance } from '../kit/allowance.ts'
import { createSemaphore } from '../kit/semaphore.ts'
import { semaphoreLimits } from '../kit/semaphore-limits.ts'
import { windowMs } from './policy.ts'

// So much may be taken at once after a quiet time, such as the first introspection of a developer's tools.
const mostCreditMs = 250

export type Strangers = {
  /** Runs the work when it is this caller's turn. Throws `too_many_requests` for a full queue, and `caller_gone`. */
  run<T>(caller: Pick<Allowance, 'subject' | 'signal'>, work: () => T | Promise<T>): Promise<T>
}

/** `quota`: milliseconds in a minute; 0 switches the bound off. */
export function createStrangers(quota: number): Strangers {
  const turns = createSemaphore(semaphoreLimits.strangers)
  const perMs = quota / windowMs
  let credit = mostCreditMs
  let at = performance.now()

  function left(): number {
    const now = performance.now()
    credit = Math.min(mostCreditMs, credit + (now - at) * perMs)
    at = now
    return credit
  }

  async function turn<T>(work: () => T): Promise<{ result: T }> {
    for (let owed = -left(); owed > 0; owed = -left()) await sleep(Math.ceil(owed / perMs))
    // The work of other callers comes first.
    await pause()
    const began = performance.now()
    try {
      return { result: work() }
    } finally {
      // The turn ends with what the work does at once. What it waits for, such as the database, takes no time here.
      await pause()
      left()
      credit -= performance.now() - began
    }
  }

  return {
    async run({ subject, signal }, work) {
      if (quota === 0) return await work()
      const { result } = await turns.run({ subject, signal, isAnonymous: true, isPaid: false }, () =>
        turn(() => {
          const result = work()
          // It is awaited after the turn.
          if (result instanceof Promise) result.catch(() => undefined)
          return result
        }),
      )
      return await result
    },
  }
}
