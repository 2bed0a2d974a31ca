// Limits concurrent verifications: any client may request one, and each may keep a download in memory and wait for a
// chain.
import { perApp } from '../../kit/per-app.ts'
import { createSemaphore } from '../../kit/semaphore.ts'

/** How many entries of one bulk request may wait or run at once, so that a smaller request soon gets a slot. */
export const atOnce = 4

export const semaphoreOf = perApp(() =>
  createSemaphore({ atOnce: 16, eachAtOnce: atOnce, anonymousAtOnce: 8, waiting: 256, eachWaiting: 16 }),
)
