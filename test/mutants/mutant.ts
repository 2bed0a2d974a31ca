/** One change to one file that a reviewer might miss, and the tests that must notice it. */
export type Mutant = {
  file: string
  /** Occurs exactly once in the file. */
  text: string
  instead: string
  /** Test files without `test/` and `.test.ts`. */
  tests: string[]
  /** The harm that the change would do, and to whom. */
  harm: string
}
