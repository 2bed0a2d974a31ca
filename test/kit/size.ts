// Tests that prove more the more they repeat. `npm test` runs them small. `npm run test:full` runs the files that
// import this one, at full size, without those of their tests that have no full size.
import { it as always } from 'vitest'

export const isFull = process.env.FULL === '1'

export const sized = <T>(small: T, full: T): T => (isFull ? full : small)

/** Every `nth` of a list of slow cases; all of them at full size. */
export const some = <T>(cases: readonly T[], nth: number): readonly T[] =>
  cases.filter((_, index) => isFull || index % nth === 0)

/** A test with a small and a full size. */
export const proof = always

/** A test without a small size, because it takes long or starts whole processes: `npm test` shows it as skipped. */
export const onlyInFull = always.runIf(isFull)

/** A test without a full size: `npm run test:full` shows it as skipped, because `npm test` runs it. */
export const it = always.skipIf(isFull)
