import { createContextCache } from '@pothos/core'
import type { Context } from './context.ts'

/**
 * Returns one moment for a whole answer. A filter that compares with the clock takes it. If each place of a document
 * read the clock, two places that ask for the same list would ask for different rows, and Pothos would read the columns
 * of the first place alone.
 */
export const momentOf: (context: Context) => Date = createContextCache(() => new Date())
