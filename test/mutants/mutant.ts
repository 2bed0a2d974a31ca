/** One change to one file that a reviewer might miss, and the tests that must notice it. */
export type Mutant = {
  file: string
  /** Occurs once in the file. */
  text: string
  instead: string
  /** Without `test/` and `.test.ts`. */
  tests: string[]
  /** Whom it would hurt, and how. */
  harm: string
}
