// Reduces repeated proof tests in `npm test`; `npm run test:full` runs the files that import this one at full size.
import { it } from 'vitest'

export const isFull = process.env.FULL === '1'

export const sized = <T>(small: T, full: T): T => (isFull ? full : small)

/** A test without a small size: `npm test` shows it as skipped. */
export const onlyInFull = it.runIf(isFull)

/** Every `nth` of a list of slow cases; all of them at full size. */
export const some = <T>(cases: readonly T[], nth: number): readonly T[] =>
  cases.filter((_, index) => isFull || index % nth === 0)
