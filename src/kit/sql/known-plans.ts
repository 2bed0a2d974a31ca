// The plans of recent requests. A plan follows from the operation, the caller, the base of URLs and the variables. It
// is kept unless its statement has a time as a parameter, or a count or the check of a cursor runs beside the
// statement.
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { Nodes } from './selection.ts'

/** The root fields of an operation, as they follow each other. */
export type Plan = {
  keys: readonly string[]
  /** Those that SQL answers, and those that resolvers answer, by their response keys. */
  inSql: ReadonlyMap<string, Nodes>
  others: ReadonlyMap<string, Nodes>
  /** Returns the JSON texts of those in SQL, by their keys; without those that resolvers have to answer after all. */
  read(context: Context): Promise<ReadonlyMap<string, string>>
}
export type Made = (Plan & { isLasting: boolean; size: number }) | null
type Values = Readonly<Record<string, unknown>>

const plans = new LRUCache<string, NonNullable<Made>>({ maxSize: 32_000_000, maxEntrySize: 200_000 })
const longestValues = 1_000
let operations = 0

/** Returns a function that finds the plan of one operation, or makes it. */
export function knownPlans(): (context: Context, values: Values, make: () => Made) => Plan | null {
  const operation = ++operations
  return ({ principal, publicBaseUrl }, values, make) => {
    const given = JSON.stringify(values)
    if (given.length > longestValues) return make()
    const key = `${operation} ${publicBaseUrl} ${JSON.stringify(principal)} ${given}`
    const known = plans.get(key)
    if (known) return known
    const made = make()
    if (made?.isLasting) plans.set(key, made, { size: made.size + key.length })
    return made
  }
}
