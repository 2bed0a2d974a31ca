// A table in the statement, and the rows to which its relations lead.
import { NotInSql, type Statement } from './statement.ts'
import type { Column, Relation, Table } from './tables.ts'

/** A table in the statement, by its alias. `joins`: rows that are read beside each of its rows. */
export type Source = { table: Table; alias: string; joins: Map<string, { alias: string; sql: string }> }

export function sourceOf({ tables, alias }: Statement, model: string): Source {
  const table = tables.get(model)
  if (table === undefined) throw new Error(`no table for ${model}`)
  return { table, alias: alias(), joins: new Map() }
}

/** Returns the rows of a source, with what is read beside them. */
export const from = (rows: string, { alias, joins }: Source): string =>
  `from (${rows}) ${alias}${[...joins.values()].map(({ sql }) => ` ${sql}`).join('')}`

export function columnOf({ name, columns }: Table, field: string): Column {
  const column = columns.get(field)
  if (column === undefined) throw new NotInSql(`${name} has no column for ${field}`)
  return column
}

export function relationOf({ name, relations }: Table, field: string): Relation {
  const relation = relations.get(field)
  if (relation === undefined) throw new NotInSql(`${name} has no relation ${field}`)
  return relation
}

export const columnIn = ({ alias, table }: Source, field: string): string => `${alias}.${columnOf(table, field).name}`

/** The values, in SQL, of which a column has one. `cast`: what an array of them needs behind it. */
export type Equality = { column: string; values: readonly string[]; cast?: string }

export const equalitySql = (alias: string, { column, values }: Equality): string => isIn(`${alias}.${column}`, values)

export function isIn(name: string, values: readonly string[]): string {
  if (values.length === 0) return 'false'
  return values.length === 1 ? `${name} = ${values[0]}` : `${name} in (${values.join(', ')})`
}

/** Returns the columns by which a row belongs to the row of `source`, with their values. */
export const joinKeys = (source: Source, { pairs }: Relation): Equality[] =>
  pairs.map(([own, other]) => ({ column: other, values: [`${source.alias}.${own}`] }))

/** Returns the condition that a row of `alias` belongs to the row of `source`. */
export const joinCondition = (source: Source, relation: Relation, alias: string): string =>
  joinKeys(source, relation)
    .map(key => equalitySql(alias, key))
    .join(' and ')

/** Joins the row to which relations of `source` lead one after the other. */
export function joinedSource(statement: Statement, source: Source, relations: readonly string[]): Source {
  let from = source
  for (const name of relations) {
    const relation = relationOf(from.table, name)
    if (relation.isList) throw new NotInSql(`${name} leads to no single row`)
    const key = `${from.alias}.${name}`
    const known = source.joins.get(key)
    const other = { ...sourceOf(statement, relation.model), ...(known && { alias: known.alias }) }
    const { alias, table } = other
    // Read for each row apart, because a join of all rows could change their order.
    const sql = `left join lateral (select ${alias}.* from ${table.name} ${alias} where ${joinCondition(from, relation, alias)} offset 0) ${alias} on true`
    source.joins.set(key, { alias, sql })
    from = { ...other, joins: source.joins }
  }
  return from
}

/** A row as the SQL of a field reads it. */
export type Row = {
  /** Returns the column of a field of the model. */
  column(field: string): string
  /** Returns a column of the row to which a relation, or a path of them (`a.b`), leads; without a row, SQL's null. */
  through(relations: string, field: string): string
  /** Returns a subquery over the rows of the last relation of a path (`a.b`). `select` writes what it selects. */
  among(relations: string, select: (column: Row['column']) => string): string
  /** Returns the placeholder of a value of the request. */
  value(value: string): string
}

export const rowOf = (statement: Statement, source: Source): Row => ({
  column: field => columnIn(source, field),
  through: (path, field) => columnIn(joinedSource(statement, source, path.split('.')), field),
  among(path, select) {
    const names = path.split('.')
    const from = joinedSource(statement, source, names.slice(0, -1))
    const relation = relationOf(from.table, names.at(-1) ?? '')
    const others = sourceOf(statement, relation.model)
    const { table, alias } = others
    const selected = select(field => columnIn(others, field))
    return `(select ${selected} from ${table.name} ${alias} where ${joinCondition(from, relation, alias)})`
  },
  value: value => statement.value(value, 'text'),
})
