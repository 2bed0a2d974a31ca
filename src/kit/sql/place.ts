// The place in a list at which a page begins.
import { reverse } from './lead.ts'
import { NotInSql, NotThisTime, type Statement, type ValueType } from './statement.ts'
import type { Direction, Order, Table } from './tables.ts'
import type { Source } from './where.ts'

/** Returns the direction in which a page is read: it is read backwards from the end for a negative `take`. */
export const turned = (direction: Direction, take = 1): Direction => (take >= 0 ? direction : reverse[direction])

export function columnOf({ columns }: Table, name: string): string {
  const column = columns.get(name)
  if (column === undefined) throw new NotInSql(`order by ${name}`)
  return column.name
}

/** Returns the condition of the rows behind the cursor's row. The place of an absent row has no rows behind it. */
export function behind(
  statement: Statement,
  { table, alias }: Source,
  cursor: Readonly<Record<string, unknown>>,
  order: Order,
  take: number | undefined,
): string {
  const [first] = order
  if (first === undefined || order.some(([, direction]) => direction !== first[1])) throw new NotInSql('a cursor')
  // A row that lost the value by which the list is ordered is no place in it: the list begins again.
  const isNullable = (column: string) =>
    [...table.columns.values()].some(({ name, isRequired }) => name === column && !isRequired)
  if (order.some(([column]) => isNullable(column))) throw new NotThisTime('a cursor in this order')
  const columns = order.map(([column]) => column)
  const operator = turned(first[1], take) === 'asc' ? '>' : '<'
  const keys = Object.entries(cursor).map(([name, value]) => [columnOf(table, name), value] as const)
  const own = columns.map(column => `${alias}.${column}`)
  const key = keys.length === 1 && columns.length === 1 && columns[0] === keys[0]?.[0] ? keys[0] : undefined
  // A number that is both id and order is a place also when it has no row.
  if (key) return `${own[0]} ${operator} ${statement.value(key[1], typeOf(table, key[0]))}`
  const other = statement.alias()
  const place = keys.map(([column, value]) => `${other}.${column} = ${statement.value(value, typeOf(table, column))}`)
  const values = columns.map(column => `${other}.${column}`).join(', ')
  return `(${own.join(', ')}) ${operator} (select ${values} from ${table.name} ${other} where ${place.join(' and ')})`
}

/** The type of a column that cursors contain. */
const typeOf = ({ columns }: Table, column: string): ValueType => {
  const { type, isUuid } = [...columns.values()].find(({ name }) => name === column) ?? {}
  return isUuid ? 'uuid' : type === 'BigInt' ? 'bigint' : 'text'
}
