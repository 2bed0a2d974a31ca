// Keyset pagination: a page begins behind the row of its cursor.
import { columnOf, type Source } from './source.ts'
import { ArgumentsNotInSql, NotInSql, type ParameterType, type Statement } from './statement.ts'
import type { Column, Order } from './tables.ts'

/** Returns the condition of the rows behind the cursor's row, in this order. An absent row has no rows behind it. */
export function keysetCondition(
  statement: Statement,
  { table, alias }: Source,
  cursor: Readonly<Record<string, unknown>>,
  order: Order,
): string {
  const [first] = order
  if (first === undefined || order.some(([, direction]) => direction !== first[1])) throw new NotInSql('a cursor')
  // A row that lost the value by which the list is ordered is no position in it: the list begins again.
  const isNullable = (column: string) =>
    [...table.columns.values()].some(({ name, isRequired }) => name === column && !isRequired)
  if (order.some(([column]) => isNullable(column))) throw new ArgumentsNotInSql('a cursor in this order')
  const operator = first[1] === 'asc' ? '>' : '<'
  const columns = order.map(([column]) => column)
  const own = columns.map(column => `${alias}.${column}`)
  const keys = Object.entries(cursor).map(([field, value]) => {
    const column = columnOf(table, field)
    return { column: column.name, value: () => statement.value(value, typeOf(column)) }
  })
  const [key, ...otherKeys] = keys
  // A number that is both id and order is a position also when it has no row.
  if (key && otherKeys.length === 0 && columns.join() === key.column) return `${own[0]} ${operator} ${key.value()}`
  const other = statement.alias()
  const conditions = keys.map(({ column, value }) => `${other}.${column} = ${value()}`)
  const values = columns.map(column => `${other}.${column}`).join(', ')
  return `(${own.join(', ')}) ${operator} (select ${values} from ${table.name} ${other} where ${conditions.join(' and ')})`
}

/** The type of a column that cursors contain. */
const typeOf = ({ type, isUuid }: Column): ParameterType => (isUuid ? 'uuid' : type === 'BigInt' ? 'bigint' : 'text')
