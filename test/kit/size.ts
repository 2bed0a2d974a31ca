// What repeats for proof is small in `npm test` and full in `npm run test:full`, which runs the files that import this one.
import { it } from 'vitest'

export const isFull = process.env.FULL === '1'

export const sized = <T>(small: T, full: T): T => (isFull ? full : small)

/** A test that has no small size: `npm test` shows it as skipped. */
export const onlyInFull = it.runIf(isFull)

/** Every `nth` case of a list of cases that take long; all of them at full size. */
export const some = <T>(cases: readonly T[], nth: number): readonly T[] =>
  cases.filter((_, index) => isFull || index % nth === 0)
