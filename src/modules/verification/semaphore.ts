import { perApp } from '../../kit/per-app.ts'
import { createSemaphore } from '../../kit/semaphore.ts'
import { semaphoreLimits } from '../../kit/semaphore-limits.ts'

export const semaphoreOf = perApp(() => createSemaphore(semaphoreLimits.verifications))
