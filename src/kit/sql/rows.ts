// The rows of a query for Prisma, as SQL.
import type { Find } from './field.ts'
import { leadOf } from './lead.ts'
import { behind, columnOf, turned } from './place.ts'
import type { RowsPlanner } from './planner.ts'
import { NotInSql } from './statement.ts'
import type { Order, Table } from './tables.ts'
import { conjunctsOf, type Fixed, fixedBy, type Source, sqlOfFixed, sqlOfWhere, type Where } from './where.ts'

/**
 * Returns the query of the rows; backwards from the end of the list for a negative `take`. `belonging`: what else holds
 * for them.
 */
export const sqlOfRows = (planner: RowsPlanner, source: Source, find: Find, belonging: readonly Fixed[] = []): string =>
  rowsOfAny(planner, source, find, belonging) ?? rowsOfAll(planner, source, find, belonging).sql

/** Returns the rows that meet one of several conditions from the first rows of each, where each has its index. */
function rowsOfAny(planner: RowsPlanner, source: Source, find: Find, belonging: readonly Fixed[]): string | null {
  const { alias, table } = source
  const conjuncts = conjunctsOf(find.where)
  const any = conjuncts.find(({ OR }) => Array.isArray(OR) && OR.length > 0)
  if (!any || offsetOf(find) !== '') return null
  const branches = any.OR as Where[]
  const parts = branches.map((branch, place) => {
    const where = { AND: [...conjuncts.filter(one => one !== any), branch] }
    const { sql, lead } = rowsOfAll(planner, source, { ...find, where }, belonging, branches.slice(0, place))
    // A row without a value would meet neither the condition nor its opposite.
    const [column, ...others] = Object.keys(branch).map(name => table.columns.get(name))
    const hasIndex = others.length === 0 && column?.isRequired && lead.some(([name]) => name === column.name)
    return hasIndex ? `(${sql})` : null
  })
  if (parts.includes(null)) return null
  const order = readOrder(table, find)
  return `select ${alias}.* from (${parts.join(' union all ')}) ${alias}${sortedBy(alias, order)}${limitOf(find)}`
}

/**
 * `without`: conditions that the rows do not meet. `lead`: the columns with which the index begins that the rows are
 * read from; none where PostgreSQL chooses it.
 */
function rowsOfAll(
  planner: RowsPlanner,
  source: Source,
  find: Find,
  belonging: readonly Fixed[],
  without: readonly Where[] = [],
) {
  const { statement, context } = planner
  const { table, alias } = source
  const read = readOrder(table, find)
  const conjuncts = conjunctsOf(find.where).map(conjunct => ({
    conjunct,
    fixed: fixedBy(statement, source, conjunct),
  }))
  const fixed = [...belonging, ...conjuncts.flatMap(({ fixed }) => fixed ?? [])]
  const inOrder = new Set(read.map(([column]) => column))
  const hasOthers = conjuncts.some(
    ({ conjunct, fixed }) => !fixed && !inOrder.has(table.columns.get(Object.keys(conjunct)[0] ?? '')?.name ?? ''),
  )
  const others = [
    ...conjuncts.flatMap(({ conjunct, fixed }) => (fixed ? [] : [sqlOfWhere(statement, source, conjunct)])),
    ...without.map(NOT => sqlOfWhere(statement, source, { NOT })),
    ...(find.cursor ? [behind(statement, source, find.cursor, orderOf(table, find.orderBy), find.take)] : []),
  ]
  const [limit, offset] = [limitOf(find), offsetOf(find)]
  const rows = (conditions: readonly string[]) => {
    const where = [...conditions, ...others].filter(text => text !== 'true')
    return `select ${alias}.* from ${table.name} ${alias}${where.length > 0 ? ` where ${where.join(' and ')}` : ''}`
  }

  // With an offset, each value would be read up to there.
  const usable = offset === '' ? fixed : fixed.filter(({ values }) => values.length === 1)
  const isPage = context.readsListsInOrder && limit !== '' && find.distinct === undefined
  const lead = isPage ? leadOf(table, read, usable, hasOthers) : []
  if (lead.length === 0) {
    const plain = rows(fixed.map(one => sqlOfFixed(alias, one)))
    const sorted = distinct(plain, source, find.distinct, orderOf(table, find.orderBy)) ?? plain
    return { sql: `${sorted}${sortedBy(alias, read)}${limit}${offset}`, lead }
  }
  // The columns are fixed and could be left out of the order. With them, no other index has the order, and PostgreSQL
  // cannot choose one in which it reads many rows in vain. For `=` it would leave them out itself.
  const leads = ({ column }: Fixed) => lead.some(([name]) => name === column)
  const several = usable.find(one => one.values.length > 1 && leads(one))
  const each = several && statement.alias()
  const conditions = fixed.map(one => {
    if (!leads(one)) return sqlOfFixed(alias, one)
    return `${alias}.${one.column} = any(${one === several ? `array[${each}.value]` : arrayOf(one)})`
  })
  const page = `${rows(conditions)}${sortedBy(alias, [...lead, ...read])}${limit}`
  if (!several) return { sql: `${page}${offset}`, lead }
  const values = `(select distinct unnest(${arrayOf(several)}) as value) ${each}`
  return {
    sql: `select ${alias}.* from ${values} cross join lateral (${page}) ${alias}${sortedBy(alias, read)}${limit}`,
    lead,
  }
}

// A literal, because the number of rows decides which plan is best, also for a plan that is made once.
const limitOf = ({ take }: Find): string => (take === undefined ? '' : ` limit ${Math.abs(take)}`)
const offsetOf = ({ cursor, skip }: Find): string => (cursor || !skip ? '' : ` offset ${skip}`)

const sortedBy = (alias: string, order: Order): string =>
  order.length === 0 ? '' : ` order by ${order.map(([column, to]) => `${alias}.${column} ${to}`).join(', ')}`

/** Returns the order in which the rows are read: backwards for a negative `take`. */
const readOrder = (table: Table, { orderBy, take }: Find): Order =>
  orderOf(table, orderBy).map(([column, direction]) => [column, turned(direction, take)] as const)

const arrayOf = ({ values, cast = '' }: Fixed): string => `array[${values.join(', ')}]${cast}`

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
