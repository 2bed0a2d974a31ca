// What repeats for proof is small in `npm test` and full in `npm run test:full`, which runs the files that import this one.
export const isFull = process.env.FULL === '1'

export const sized = <T>(small: T, full: T): T => (isFull ? full : small)

/** Every `nth` case of a list of cases that take long; all of them at full size. */
export const some = <T>(cases: readonly T[], nth: number): readonly T[] =>
  cases.filter((_, index) => isFull || index % nth === 0)
