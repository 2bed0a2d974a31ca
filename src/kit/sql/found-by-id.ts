// Pages by several values, for resolvers. Prisma reads and sorts all rows that match, because it cannot read the first
// rows of each value by itself. So the ids of the page are read first.
import { AppError } from '../../core/errors.ts'
import type { App } from '../context.ts'
import type { Find } from './field.ts'
import type { RowsPlanner } from './planner.ts'
import { isBeyondLimits, queryOf, read } from './read.ts'
import { sqlOfRows } from './rows.ts'
import { createStatement, NotInSql, NotThisTime } from './statement.ts'
import { belonging, conjunctsOf, isObject, type Source, sourceOf, type Where } from './where.ts'

/** What reads run on. */
export type Reads = Pick<App, 'pool' | 'reads' | 'readsListsInOrder'>
/** A query of Prisma. `below`: the single row whose relation it reads. */
export type Place = { model: string; find: Find; below?: { place: Place; relation: string } }

/** Returns the condition of the rows of a page by several values; null where Prisma reads the page itself. */
export async function whereById(database: Reads, place: Place): Promise<{ id: { in: unknown[] } } | null> {
  const { where, take, skip, cursor, orderBy, distinct } = place.find
  if (take === undefined || orderBy === undefined || distinct !== undefined || (skip && !cursor)) return null
  try {
    if (!conjunctsOf(where).some(hasSeveral)) return null
    const statement = createStatement()
    const { sql, source } = rowsAt({ statement, context: database }, place)
    const id = source.table.columns.get('id')
    if (id === undefined) return null
    const ids = { sql: `coalesce((select string_agg(${source.alias}.${id.name}::text, ',') from ${sql}), '')` }
    const [text = ''] = await read(database, queryOf(statement, [[ids]]))
    const texts = text === '' ? [] : text.split(',')
    return { id: { in: id.type === 'BigInt' ? texts.map(BigInt) : texts } }
  } catch (error) {
    if (error instanceof NotInSql || error instanceof NotThisTime) return null
    throw isBeyondLimits(error) ? new AppError('answer_too_large', undefined, { cause: error }) : error
  }
}

const hasSeveral = (conjunct: Where): boolean =>
  Object.entries(conjunct).some(([key, value]) => key === 'OR' || (isObject(value) && membersOf(value.in) > 1))

const membersOf = (values: unknown): number => (Array.isArray(values) ? values.length : 0)

/** Returns the rows of a place, for a `from`. */
function rowsAt(planner: RowsPlanner, { model, find, below }: Place): { sql: string; source: Source } {
  const source = sourceOf(planner.statement, model)
  if (!below) return { sql: `(${sqlOfRows(planner, source, find)}) ${source.alias}`, source }
  const above = rowsAt(planner, below.place)
  const relation = above.source.table.relations.get(below.relation)
  if (relation === undefined) throw new NotInSql(below.relation)
  const rows = sqlOfRows(planner, source, find, belonging(above.source, relation))
  return { sql: `${above.sql} cross join lateral (${rows}) ${source.alias}`, source }
}
