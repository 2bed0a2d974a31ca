// The columns of a row, and of the rows to which its relations lead.
import type { Row } from './field.ts'
import { NotInSql, type Statement } from './statement.ts'
import type { Column, Relation } from './tables.ts'
import { joining, type Source, sourceOf } from './where.ts'

export function columnOf({ table }: Source, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw new NotInSql(`${table.name} has no column for ${name}`)
  return column
}

/** Returns the row to which relations of `source` lead one after the other. */
export function beside(statement: Statement, source: Source, relations: readonly string[]): Source {
  let from = source
  for (const name of relations) {
    const relation = relationOf(from, name)
    if (relation.isList) throw new NotInSql(`${name} leads to no single row`)
    const key = `${from.alias}.${name}`
    const known = source.joins.get(key)
    const other = { ...sourceOf(statement, relation.model), ...(known && { alias: known.alias }) }
    const { alias, table } = other
    // Read for each row apart, because a join of all rows could change their order.
    const sql = `left join lateral (select ${alias}.* from ${table.name} ${alias} where ${joining(from, relation, alias)} offset 0) ${alias} on true`
    source.joins.set(key, { alias, sql })
    from = { ...other, joins: source.joins }
  }
  return from
}

export function relationOf({ table }: Source, name: string): Relation {
  const relation = table.relations.get(name)
  if (relation === undefined) throw new NotInSql(`${table.name} has no relation ${name}`)
  return relation
}

export function rowOf(statement: Statement, source: Source): Row {
  const columnIn = (source: Source, name: string) => `${source.alias}.${columnOf(source, name).name}`
  return {
    column: name => columnIn(source, name),
    through: (path, field) => columnIn(beside(statement, source, path.split('.')), field),
    among(path, select) {
      const names = path.split('.')
      const from = beside(statement, source, names.slice(0, -1))
      const relation = relationOf(from, names.at(-1) ?? '')
      const others = sourceOf(statement, relation.model)
      const { table, alias } = others
      const selected = select(name => columnIn(others, name))
      return `(select ${selected} from ${table.name} ${alias} where ${joining(from, relation, alias)})`
    },
    value: value => statement.value(value, 'text'),
  }
}
