// Finds the index that has the rows of a list in their order, behind columns that the list's conditions fix.
import type { Order, Table } from './tables.ts'
import type { Fixed } from './where.ts'

/**
 * Returns the columns with which the index begins, in its order. `hasOthers`: the list has further conditions. Then
 * these are only the columns with which all its indexes begin, because PostgreSQL estimates in which index the fewest
 * rows are read in vain. At most one column has several values.
 */
export function leadOf(table: Table, order: Order, fixed: readonly Fixed[], hasOthers: boolean): Order {
  const leads = table.indexes.flatMap(index => {
    const lead = index.slice(0, -order.length)
    const way = wayThrough(index.slice(lead.length), order)
    if (way === null || lead.length === 0 || !lead.every(([name]) => fixed.some(({ column }) => column === name)))
      return []
    return [lead.map(([column, direction]) => [column, way === 'forward' ? direction : reverse[direction]] as const)]
  })
  const several = fixed.filter(({ values }) => values.length > 1)
  const whole = leads.find(lead => fixed.every(({ column }) => lead.some(([name]) => name === column)))
  if (whole && !hasOthers && several.length <= 1) return whole
  const single = leads.filter(lead => lead.every(([name]) => several.every(({ column }) => column !== name)))
  const [shortest = []] = single.toSorted((one, other) => one.length - other.length)
  return single.every(lead => String(lead.slice(0, shortest.length)) === String(shortest)) ? shortest : []
}

export const reverse = { asc: 'desc', desc: 'asc' } as const

/** Returns how to read entries of an index in this order. */
function wayThrough(entries: Order, order: Order): 'forward' | 'backward' | null {
  if (order.length === 0 || entries.length !== order.length) return null
  if (entries.some(([column], place) => column !== order[place]?.[0])) return null
  const same = entries.filter(([, direction], place) => direction === order[place]?.[1]).length
  return same === order.length ? 'forward' : same === 0 ? 'backward' : null
}
