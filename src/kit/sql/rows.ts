// The rows of a query for Prisma, as SQL.
import type { Find } from './field.ts'
import { NotInSql, NotThisTime, type Statement, type ValueType } from './statement.ts'
import type { Table } from './tables.ts'
import { type Source, sqlOfWhere } from './where.ts'

type Direction = 'asc' | 'desc'
type Order = readonly (readonly [column: string, direction: Direction])[]

/**
 * Returns the query of the rows; backwards from the end of the list for a negative `take`. `condition`: what else holds
 * for them.
 */
export function sqlOfRows(statement: Statement, source: Source, find: Find, condition?: string): string {
  const { table, alias } = source
  const { where, take } = find
  const order = orderOf(table, find.orderBy)
  const conditions = [
    ...(condition === undefined ? [] : [condition]),
    sqlOfWhere(statement, source, where),
    ...(find.cursor ? [behind(statement, source, find.cursor, order, take)] : []),
  ].filter(text => text !== 'true')
  const rows = `select ${alias}.* from ${table.name} ${alias}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`
  const sorted = distinct(rows, source, find.distinct, order) ?? rows
  const by = order.map(([column, direction]) => `${alias}.${column} ${turned(direction, take)}`)
  // A literal, because the number of rows decides which plan is best, also for a plan that is made once.
  const limit = take === undefined ? '' : ` limit ${Math.abs(take)}`
  const offset = find.cursor || !find.skip ? '' : ` offset ${find.skip}`
  return `${sorted}${by.length > 0 ? ` order by ${by.join(', ')}` : ''}${limit}${offset}`
}

const turned = (direction: Direction, take = 1): Direction =>
  take >= 0 ? direction : direction === 'asc' ? 'desc' : 'asc'

function columnOf({ columns }: Table, name: string): string {
  const column = columns.get(name)
  if (column === undefined) throw new NotInSql(`order by ${name}`)
  return column.name
}

function orderOf(table: Table, orderBy: unknown): Order {
  if (orderBy === undefined) return []
  return [orderBy].flat().flatMap(by =>
    Object.entries(by ?? {}).map(([name, direction]) => {
      if (direction !== 'asc' && direction !== 'desc') throw new NotInSql(`order by ${name}`)
      return [columnOf(table, name), direction] as const
    }),
  )
}

/** Keeps the first row of each value, in the order of the list. */
function distinct(rows: string, { table, alias }: Source, by: unknown, order: Order): string | null {
  if (by === undefined) return null
  const columns = [by].flat().map(name => `${alias}.${columnOf(table, String(name))}`)
  const sorted = [...columns, ...order.map(([column, direction]) => `${alias}.${column} ${direction}`)]
  const first = rows.replace('select ', `select distinct on (${columns.join(', ')}) `)
  return `select * from (${first} order by ${sorted.join(', ')}) ${alias}`
}

/** Returns the condition of the rows behind the cursor's row. The place of an absent row has no rows behind it. */
function behind(
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
