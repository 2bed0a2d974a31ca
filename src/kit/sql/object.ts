// The fields of a row, as SQL.
import { type FieldNode, GraphQLObjectType, getNamedType, getNullableType, isListType, isNonNullType } from 'graphql'
import { connectionOf } from './connection.ts'
import { argumentsIn, extensionsOf, type Field, type Find, findOf, type Row } from './field.ts'
import { guardOf } from './guard.ts'
import { leafOf, refused } from './leaf.ts'
import { checkPage } from './page.ts'
import type { Planner } from './planner.ts'
import { sqlOfRows } from './rows.ts'
import { fieldsOf, type Nodes, selectionsOf } from './selection.ts'
import { joined, NotInSql, objectOf, type Piece } from './statement.ts'
import type { Column } from './tables.ts'
import { belonging, type Fixed, from, joining, type Source, sourceOf } from './where.ts'

/** The rows of a query that become one object or a list of objects. */
type Rows = { model: string; find: Find; isList: boolean; mayBeNull: boolean; belonging?: readonly Fixed[] }

/** Returns the pieces of the object, or of the list of objects, that stands for these rows. */
export function objectsFrom(
  planner: Planner,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  rows: Rows,
): Piece[] {
  const source = sourceOf(planner.statement, rows.model)
  const object = joined(objectFrom(planner, type, nodes, source))
  const found = from(sqlOfRows(planner, source, rows.find, rows.belonging), source)
  if (rows.isList) return ['[', { sql: `coalesce((select string_agg(${object}, ',') ${found}), '')` }, ']']
  return [{ sql: `coalesce((select ${object} ${found}), ${rows.mayBeNull ? `'null'` : refused.sql})` }]
}

/** Returns the pieces of the object that stands for a row of `source`. */
function objectFrom(planner: Planner, type: GraphQLObjectType, nodes: readonly FieldNode[], source: Source): Piece[] {
  return objectOf(
    [...fieldsOf(planner.document, type, selectionsOf(nodes))].map(([key, nodes]) => {
      const name = nodes[0].name.value
      if (name === '__typename') return [key, [JSON.stringify(type.name)]]
      const field = type.getFields()[name]
      if (!field) throw new NotInSql(`${type.name}.${name}`)
      return [key, guarded(planner, field, nodes, source)]
    }),
  )
}

function guarded(planner: Planner, field: Field, nodes: Nodes, source: Source): Piece[] {
  const guard = guardOf(field, planner.context.principal, planner.statement, source)
  // Before the refusal, because wrong arguments are refused also where there is no object.
  const pieces = fieldOf(planner, field, nodes, source)
  if (guard === 'false') return [refused]
  return guard === null ? pieces : [{ sql: `case when ${guard} then ${joined(pieces)} else ${refused.sql} end` }]
}

function fieldOf(planner: Planner, field: Field, nodes: Nodes, source: Source): Piece[] {
  const { pothosExposedField, inSql, pothosPrismaRelationField, asRelation, writeInSql } = extensionsOf(field)
  if (inSql) {
    const sql = inSql(rowOf(planner, source), planner.context)
    return leafOf(field.type, { sql, mayBeNull: true, isUuid: false })
  }
  const type = getNamedType(field.type)
  if (writeInSql && type instanceof GraphQLObjectType) {
    const args = argumentsIn(field, nodes[0], planner.document.variables)
    return writeInSql(planner, { type, nodes, args, parent: rowOf(planner, source) })
  }
  const relation = asRelation ?? pothosPrismaRelationField?.name
  if (relation !== undefined) return related(planner, field, relation, nodes, source)
  if (pothosExposedField === undefined) throw new NotInSql(field.name)
  const { name, isRequired, isUuid } = columnOf(source, pothosExposedField)
  return leafOf(field.type, { sql: `${source.alias}.${name}`, mayBeNull: !isRequired, isUuid })
}

function columnOf({ table }: Source, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw new NotInSql(`${table.name} has no column for ${name}`)
  return column
}

function rowOf({ statement }: Planner, source: Source): Row {
  const columnIn = (source: Source, name: string) => `${source.alias}.${columnOf(source, name).name}`
  /** Returns the row to which a relation of `from` leads. */
  function beside(from: Source, name: string): Source {
    const relation = from.table.relations.get(name)
    if (relation === undefined || relation.isList) throw new NotInSql(`${name} leads to no single row`)
    const key = `${from.alias}.${name}`
    const known = source.joins.get(key)
    const other = { ...sourceOf(statement, relation.model), ...(known && { alias: known.alias }) }
    const { alias, table } = other
    // Read for each row apart, because a join of all rows could change their order.
    const sql = `left join lateral (select ${alias}.* from ${table.name} ${alias} where ${joining(from, relation, alias)} offset 0) ${alias} on true`
    source.joins.set(key, { alias, sql })
    return other
  }
  return {
    column: name => columnIn(source, name),
    through(path, field) {
      let at = source
      for (const name of path.split('.')) at = beside(at, name)
      return columnIn(at, field)
    },
    value: value => statement.value(value, 'text'),
  }
}

function related(planner: Planner, field: Field, name: string, nodes: Nodes, source: Source): Piece[] {
  const { context, document } = planner
  const args = argumentsIn(field, nodes[0], document.variables)
  checkPage(planner, field, args)
  const { find, cursor } = findOf(field, name, args, context)
  const relation = source.table.relations.get(name)
  const type = getNamedType(field.type)
  if (relation === undefined || !(type instanceof GraphQLObjectType)) throw new NotInSql(field.name)
  const own = { model: relation.model, find, belonging: belonging(source, relation) }
  if (!field.args.some(({ name }) => name === 'first')) {
    const isList = isListType(getNullableType(field.type))
    return objectsFrom(planner, type, nodes, { ...own, isList, mayBeNull: !isNonNullType(field.type) })
  }
  const { total, counters } = extensionsOf(field)
  // Counted for each row apart, by what the resolver knows of it.
  const byResolver = () => {
    throw new NotInSql(`the total of ${field.name}`)
  }
  return connectionFrom(planner, type, nodes, {
    ...own,
    args,
    cursor,
    counters: counters?.(args) ?? null,
    ...(total && { total: byResolver }),
  })
}

type List = Omit<Parameters<typeof connectionOf>[3], 'entry'>

/** Returns the pieces of a connection whose entries are rows. */
export const connectionFrom = (planner: Planner, type: GraphQLObjectType, nodes: readonly FieldNode[], list: List) =>
  connectionOf(planner, type, nodes, {
    ...list,
    entry: (type, nodes, source) => objectFrom(planner, type, nodes, source),
  })
