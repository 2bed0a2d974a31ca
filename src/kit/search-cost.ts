// Computes what a list costs beside its page: for rows that it may read in vain, or skips. The indexes of a list have
// one condition and its usual order, or another order alone. With more, it may read many rows in vain.
import type { Arguments, Search } from './field-cost.ts'
import { offsetIn } from './offset-cursor.ts'

/** For more than one condition, or one in another order than the usual. schema.graphql shows it on `filter`. */
export const searchWeight = 100
// Rows for each unit. An offset far beyond the end of a list skips what there is, and no more.
const skipped = { perUnit: 500, most: 1_000 }

/** Returns the cost of the arguments, which are unchecked, as the document has them. */
export function searchCost({ filter, orderBy, after }: Arguments, { usualOrder, dear }: Search): number {
  const order = orderIn(orderBy) ?? usualOrder
  // A range of the column that orders the list is where its reading begins and ends.
  const conditions = Object.entries(membersOf(filter)).filter(([name, value]) => !isEmpty(value) && name !== order)
  const isSearch = conditions.length + (order === usualOrder ? 0 : 1) > 1
  const ofConditions = conditions.reduce((sum, [name, value]) => sum + (dear[name] ?? 0) + further(value), 0)
  return (isSearch ? searchWeight : 0) + ofConditions + skipCost(after)
}

/** A condition whose members are all null leaves nothing out. */
const isEmpty = (value: unknown): boolean =>
  value == null ||
  (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(one => one == null))

/** Each of several values is read by itself. */
const further = (values: unknown): number => (Array.isArray(values) ? Math.max(0, values.length - 1) : 0)

function skipCost(cursor: unknown): number {
  const rows = offsetIn(cursor) ?? 0
  return Math.min(rows / skipped.perUnit, skipped.most)
}

const membersOf = (argument: unknown): Arguments =>
  typeof argument === 'object' && argument !== null ? { ...argument } : {}

/** Returns the member of the filter that has the values of the order. */
function orderIn(orderBy: unknown): string | null {
  const { field } = membersOf(orderBy)
  return typeof field === 'string' ? field.toLowerCase().replace(/_at$/, 'At') : null
}
