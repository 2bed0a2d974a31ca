// Finds the index that has the rows of a list in their order, behind columns that the list's conditions fix.
import type { Order, Table } from './tables.ts'
import type { Fixed } from './where.ts'

/**
 * Returns the columns with which the index begins, in its order; null unless one index fits best. At most one of them
 * has several values. Of two columns with an index each, PostgreSQL knows which has fewer rows with the value.
 */
export function leadOf(table: Table, order: Order, fixed: readonly Fixed[]): Order | null {
  const several = new Set(fixed.flatMap(({ column, values }) => (values.length > 1 ? [column] : [])))
  const isFixed = (column: string) => fixed.some(one => one.column === column)
  const leads = table.indexes.flatMap(index => {
    const lead = index.slice(0, -order.length)
    const columns = lead.map(([column]) => column)
    const way = wayThrough(index.slice(lead.length), order)
    if (way === null || lead.length === 0 || !columns.every(isFixed)) return []
    if (columns.filter(column => several.has(column)).length > 1) return []
    return [lead.map(([column, direction]) => [column, way === 'forward' ? direction : reverse[direction]] as const)]
  })
  const lengths = [...new Set(leads.map(({ length }) => length))].sort((one, other) => other - one)
  for (const length of lengths) {
    const [lead, ...others] = leads.filter(one => one.length === length)
    if (lead && others.every(other => String(other) === String(lead))) return lead
  }
  return null
}

export const reverse = { asc: 'desc', desc: 'asc' } as const

/** Returns how to read entries of an index in this order. */
function wayThrough(entries: Order, order: Order): 'forward' | 'backward' | null {
  if (order.length === 0 || entries.length !== order.length) return null
  if (entries.some(([column], place) => column !== order[place]?.[0])) return null
  const same = entries.filter(([, direction], place) => direction === order[place]?.[1]).length
  return same === order.length ? 'forward' : same === 0 ? 'backward' : null
}
