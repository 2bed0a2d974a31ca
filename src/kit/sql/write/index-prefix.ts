// Finds the index that has the rows of a list in their order, behind columns that the list's conditions fix: these
// columns are the prefix of the index.
import type { Equality } from './source.ts'
import type { Order, Table } from './tables.ts'

/**
 * Returns the prefix, in the order in which the index is read. `hasOthers`: the list has further conditions. Then these
 * are only the columns with which all its indexes begin, because PostgreSQL estimates in which index the fewest rows
 * are read in vain. At most one column has several values.
 */
export function indexPrefix(table: Table, order: Order, equalities: readonly Equality[], hasOthers: boolean): Order {
  const prefixes = table.indexes.flatMap(index => {
    const prefix = index.slice(0, -order.length)
    const scan = scanDirection(index.slice(prefix.length), order)
    if (scan === null || prefix.length === 0) return []
    if (!prefix.every(([name]) => equalities.some(({ column }) => column === name))) return []
    return [
      prefix.map(([column, direction]) => [column, scan === 'forward' ? direction : opposite[direction]] as const),
    ]
  })
  const several = equalities.filter(({ values }) => values.length > 1)
  const whole = prefixes.find(prefix => equalities.every(({ column }) => prefix.some(([name]) => name === column)))
  if (whole && !hasOthers && several.length <= 1) return whole
  const single = prefixes.filter(prefix => prefix.every(([name]) => several.every(({ column }) => column !== name)))
  const [shortest = []] = single.toSorted((one, other) => one.length - other.length)
  return single.every(prefix => String(prefix.slice(0, shortest.length)) === String(shortest)) ? shortest : []
}

export const opposite = { asc: 'desc', desc: 'asc' } as const

/** Returns how to scan entries of an index for this order. */
function scanDirection(entries: Order, order: Order): 'forward' | 'backward' | null {
  if (order.length === 0 || entries.length !== order.length) return null
  if (entries.some(([column], index) => column !== order[index]?.[0])) return null
  const same = entries.filter(([, direction], index) => direction === order[index]?.[1]).length
  return same === order.length ? 'forward' : same === 0 ? 'backward' : null
}
