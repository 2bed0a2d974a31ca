// The rows of a query for Prisma, as SQL.
import type { Find } from './field.ts'
import { leadOf, reverse } from './lead.ts'
import type { Planner } from './planner.ts'
import { NotInSql, NotThisTime, type Statement, type ValueType } from './statement.ts'
import type { Direction, Order, Table } from './tables.ts'
import { conjunctsOf, type Fixed, fixedBy, type Source, sqlOfFixed, sqlOfWhere } from './where.ts'

/**
 * Returns the query of the rows; backwards from the end of the list for a negative `take`. `belonging`: what else holds
 * for them.
 */
export function sqlOfRows(planner: Planner, source: Source, find: Find, belonging: readonly Fixed[] = []): string {
  const { statement, context } = planner
  const { table, alias } = source
  const { take } = find
  const order = orderOf(table, find.orderBy)
  const read = order.map(([column, direction]) => [column, turned(direction, take)] as const)
  const conjuncts = conjunctsOf(find.where).map(conjunct => ({
    conjunct,
    fixed: fixedBy(statement, source, conjunct),
  }))
  const fixed = [...belonging, ...conjuncts.flatMap(({ fixed }) => fixed ?? [])]
  const others = [
    ...conjuncts.flatMap(({ conjunct, fixed }) => (fixed ? [] : [sqlOfWhere(statement, source, conjunct)])),
    ...(find.cursor ? [behind(statement, source, find.cursor, order, take)] : []),
  ]
  // A literal, because the number of rows decides which plan is best, also for a plan that is made once.
  const limit = take === undefined ? '' : ` limit ${Math.abs(take)}`
  const offset = find.cursor || !find.skip ? '' : ` offset ${find.skip}`
  const rows = (conditions: readonly string[]) => {
    const where = [...conditions, ...others].filter(text => text !== 'true')
    return `select ${alias}.* from ${table.name} ${alias}${where.length > 0 ? ` where ${where.join(' and ')}` : ''}`
  }
  const by = (order: Order) =>
    order.length === 0 ? '' : ` order by ${order.map(([column, to]) => `${alias}.${column} ${to}`).join(', ')}`

  // With an offset, each value would be read up to there.
  const usable = offset === '' ? fixed : fixed.filter(({ values }) => values.length === 1)
  const isPage = context.readsListsInOrder && take !== undefined && find.distinct === undefined
  const lead = isPage ? leadOf(table, read, usable) : null
  if (lead === null) {
    const plain = rows(fixed.map(one => sqlOfFixed(alias, one)))
    return `${distinct(plain, source, find.distinct, order) ?? plain}${by(read)}${limit}${offset}`
  }
  // The columns are fixed and could be left out of the order. With them, no other index has the order, and PostgreSQL
  // cannot choose one in which it reads many rows in vain. For `=` it would leave them out itself.
  const leads = ({ column }: Fixed) => lead.some(([name]) => name === column)
  const several = usable.find(one => one.values.length > 1 && leads(one))
  const each = several && statement.alias()
  const page = `${rows(
    fixed.map(one => {
      if (!leads(one)) return sqlOfFixed(alias, one)
      return `${alias}.${one.column} = any(${one === several ? `array[${each}.value]` : arrayOf(one)})`
    }),
  )}${by([...lead, ...read])}${limit}`
  if (!several) return `${page}${offset}`
  const values = `(select distinct unnest(${arrayOf(several)}) as value) ${each}`
  return `select ${alias}.* from ${values} cross join lateral (${page}) ${alias}${by(read)}${limit}`
}

const arrayOf = ({ values, cast = '' }: Fixed): string => `array[${values.join(', ')}]${cast}`

const turned = (direction: Direction, take = 1): Direction => (take >= 0 ? direction : reverse[direction])

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
