// The rows of a query for Prisma, as SQL.
import { indexPrefix, opposite } from './index-prefix.ts'
import { keysetCondition } from './keyset.ts'
import { columnOf, type Equality, equalitySql, type Source } from './source.ts'
import { NotInSql, type Statement } from './statement.ts'
import type { Order, Table } from './tables.ts'
import { conjunctsOf, equalityIn, type Where, whereSql } from './where.ts'

/** The part of a query for Prisma that decides which rows it returns. */
export type Find = {
  where?: unknown
  orderBy?: unknown
  take?: number
  skip?: number
  cursor?: Readonly<Record<string, unknown>>
  distinct?: unknown
}

/**
 * Returns the query of the rows; backwards from the end of the list for a negative `take`. `keys`: what else holds for
 * them.
 */
export const rowsSql = (statement: Statement, source: Source, find: Find, keys: readonly Equality[] = []): string =>
  unionOfScans(statement, source, find, keys) ?? scan(statement, source, find, keys).sql

/** Returns the rows that meet one of several conditions from the first rows of each, where each has its index. */
function unionOfScans(statement: Statement, source: Source, find: Find, keys: readonly Equality[]): string | null {
  const { alias, table } = source
  const conjuncts = conjunctsOf(find.where)
  const any = conjuncts.find(({ OR }) => Array.isArray(OR) && OR.length > 0)
  if (!any || offsetOf(find) !== '') return null
  const branches = any.OR as Where[]
  const parts = branches.map((branch, index) => {
    const where = { AND: [...conjuncts.filter(one => one !== any), branch] }
    const { sql, prefix } = scan(statement, source, { ...find, where }, keys, branches.slice(0, index))
    // A row without a value would meet neither the condition nor its opposite.
    const [column, ...others] = Object.keys(branch).map(name => table.columns.get(name))
    const hasIndex = others.length === 0 && column?.isRequired && prefix.some(([name]) => name === column.name)
    return hasIndex ? `(${sql})` : null
  })
  if (parts.includes(null)) return null
  const order = readOrder(table, find)
  return `select ${alias}.* from (${parts.join(' union all ')}) ${alias}${sortedBy(alias, order)}${limitOf(find)}`
}

/**
 * `without`: conditions that the rows do not meet. `prefix`: the columns with which the index begins that the rows are
 * read from; none where PostgreSQL chooses it.
 */
function scan(
  statement: Statement,
  source: Source,
  find: Find,
  keys: readonly Equality[],
  without: readonly Where[] = [],
) {
  const { table, alias } = source
  const read = readOrder(table, find)
  const conjuncts = conjunctsOf(find.where).map(conjunct => ({
    conjunct,
    equality: equalityIn(statement, source, conjunct),
  }))
  const equalities = [...keys, ...conjuncts.flatMap(({ equality }) => equality ?? [])]
  const inOrder = new Set(read.map(([column]) => column))
  const hasOthers = conjuncts.some(
    ({ conjunct, equality }) =>
      !equality && !inOrder.has(table.columns.get(Object.keys(conjunct)[0] ?? '')?.name ?? ''),
  )
  const others = [
    ...conjuncts.flatMap(({ conjunct, equality }) => (equality ? [] : [whereSql(statement, source, conjunct)])),
    ...without.map(where => `not ${whereSql(statement, source, where)}`),
    ...(find.cursor ? [keysetCondition(statement, source, find.cursor, read)] : []),
  ]
  const [limit, offset] = [limitOf(find), offsetOf(find)]
  const rows = (conditions: readonly string[]) => {
    const where = [...conditions, ...others].filter(text => text !== 'true')
    return `select ${alias}.* from ${table.name} ${alias}${where.length > 0 ? ` where ${where.join(' and ')}` : ''}`
  }

  // With an offset, each value would be read up to there.
  const usable = offset === '' ? equalities : equalities.filter(({ values }) => values.length === 1)
  const isPage = limit !== '' && find.distinct === undefined
  const prefix = isPage ? indexPrefix(table, read, usable, hasOthers) : []
  if (prefix.length === 0) {
    const plain = rows(equalities.map(equality => equalitySql(alias, equality)))
    const sorted = distinct(plain, source, find.distinct, orderOf(table, find.orderBy)) ?? plain
    return { sql: `${sorted}${sortedBy(alias, read)}${limit}${offset}`, prefix }
  }
  // The columns are fixed and could be left out of the order. With them, no other index has the order, and PostgreSQL
  // cannot choose one in which it reads many rows in vain. For `=` it would leave them out itself.
  const isInPrefix = ({ column }: Equality) => prefix.some(([name]) => name === column)
  const several = usable.find(equality => equality.values.length > 1 && isInPrefix(equality))
  const each = several && statement.alias()
  const conditions = equalities.map(equality => {
    if (!isInPrefix(equality)) return equalitySql(alias, equality)
    return `${alias}.${equality.column} = any(${equality === several ? `array[${each}.value]` : arrayOf(equality)})`
  })
  const page = `${rows(conditions)}${sortedBy(alias, [...prefix, ...read])}${limit}`
  if (!several) return { sql: `${page}${offset}`, prefix }
  const values = `(select distinct unnest(${arrayOf(several)}) as value) ${each}`
  return {
    sql: `select ${alias}.* from ${values} cross join lateral (${page}) ${alias}${sortedBy(alias, read)}${limit}`,
    prefix,
  }
}

// A literal, because the number of rows decides which plan is best, also for a plan that is made once.
const limitOf = ({ take }: Find): string => (take === undefined ? '' : ` limit ${Math.abs(take)}`)
const offsetOf = ({ cursor, skip }: Find): string => (cursor || !skip ? '' : ` offset ${skip}`)

const sortedBy = (alias: string, order: Order): string =>
  order.length === 0 ? '' : ` order by ${order.map(([column, to]) => `${alias}.${column} ${to}`).join(', ')}`

/** Returns the order in which the rows are read: backwards for a negative `take`. */
const readOrder = (table: Table, { orderBy, take = 1 }: Find): Order =>
  orderOf(table, orderBy).map(([column, direction]) => [column, take < 0 ? opposite[direction] : direction] as const)

const arrayOf = ({ values, cast = '' }: Equality): string => `array[${values.join(', ')}]${cast}`

function orderOf(table: Table, orderBy: unknown): Order {
  if (orderBy === undefined) return []
  return [orderBy].flat().flatMap(by =>
    Object.entries(by ?? {}).map(([name, direction]) => {
      if (direction !== 'asc' && direction !== 'desc') throw new NotInSql(`order by ${name}`)
      return [columnOf(table, name).name, direction] as const
    }),
  )
}

/** Keeps the first row of each value, in the order of the list. */
function distinct(rows: string, { table, alias }: Source, by: unknown, order: Order): string | null {
  if (by === undefined) return null
  const columns = [by].flat().map(name => `${alias}.${columnOf(table, String(name)).name}`)
  const sorted = [...columns, ...order.map(([column, direction]) => `${alias}.${column} ${direction}`)]
  const first = rows.replace('select ', `select distinct on (${columns.join(', ')}) `)
  return `select * from (${first} order by ${sorted.join(', ')}) ${alias}`
}
