// Pages by several values, for resolvers. Prisma reads and sorts all rows that match, because it cannot read the first
// rows of each value by itself. So the ids of the page are read first.

import type { SqlHost, SqlQuery } from './host.ts'
import { queryOf } from './run/query.ts'
import { type Find, rowsSql } from './write/rows.ts'
import { joinKeys, relationOf, type Source, sourceOf } from './write/source.ts'
import { ArgumentsNotInSql, createStatement, NotInSql, type Statement } from './write/statement.ts'
import { conjunctsOf, isObject, type Where } from './write/where.ts'

/** The tables of the ids, and how a statement runs on it. */
export type IdHost = Pick<SqlHost, 'tables'> & { run(query: SqlQuery): Promise<readonly string[]> }
/** A query of Prisma. `below`: the single row whose relation it reads. */
export type PageQuery = { model: string; find: Find; below?: { query: PageQuery; relation: string } }

/** Returns the condition of the rows of a page by several values; null where Prisma reads the page itself. */
export async function whereById(host: IdHost, page: PageQuery): Promise<{ id: { in: unknown[] } } | null> {
  const { where, take, skip, cursor, orderBy, distinct } = page.find
  if (take === undefined || orderBy === undefined || distinct !== undefined || (skip && !cursor)) return null
  try {
    if (!conjunctsOf(where).some(hasSeveral)) return null
    const statement = createStatement(host.tables)
    const { sql, source } = rowsOf(statement, page)
    const id = source.table.columns.get('id')
    if (id === undefined) return null
    const ids = { sql: `coalesce((select string_agg(${source.alias}.${id.name}::text, ',') from ${sql}), '')` }
    const query = queryOf(statement, [[ids]])
    const [text = ''] = query.text === null ? query.texts : await host.run(query)
    const texts = text === '' ? [] : text.split(',')
    return { id: { in: id.type === 'BigInt' ? texts.map(BigInt) : texts } }
  } catch (error) {
    if (error instanceof NotInSql || error instanceof ArgumentsNotInSql) return null
    throw error
  }
}

const hasSeveral = (conjunct: Where): boolean =>
  Object.entries(conjunct).some(([key, value]) => key === 'OR' || (isObject(value) && membersOf(value.in) > 1))

const membersOf = (values: unknown): number => (Array.isArray(values) ? values.length : 0)

/** Returns the rows of a page, for a `from`. */
function rowsOf(statement: Statement, { model, find, below }: PageQuery): { sql: string; source: Source } {
  const source = sourceOf(statement, model)
  if (!below) return { sql: `(${rowsSql(statement, source, find)}) ${source.alias}`, source }
  const above = rowsOf(statement, below.query)
  const keys = joinKeys(above.source, relationOf(above.source.table, below.relation))
  return { sql: `${above.sql} cross join lateral (${rowsSql(statement, source, find, keys)}) ${source.alias}`, source }
}
