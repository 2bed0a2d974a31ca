// The fields of a row, as SQL.
import { type FieldNode, GraphQLObjectType, getNamedType, getNullableType, isListType, isNonNullType } from 'graphql'
import { connectionOf } from './connection.ts'
import { argumentsIn, extensionsOf, type Field, findOf, type Row } from './field.ts'
import { guardOf } from './guard.ts'
import { leafOf, refused } from './leaf.ts'
import { checkPage, type Planner } from './planner.ts'
import { sqlOfRows } from './rows.ts'
import { fieldsOf, selectionsOf } from './selection.ts'
import { joined, NotInSql, objectOf, type Piece } from './statement.ts'
import { tableOf } from './tables.ts'
import { joining, type Source } from './where.ts'

/** Returns the pieces of the object that stands for a row of `source`. */
export function objectFrom(
  planner: Planner,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  source: Source,
): Piece[] {
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

function guarded(planner: Planner, field: Field, nodes: readonly [FieldNode, ...FieldNode[]], source: Source): Piece[] {
  const guard = guardOf(field, planner.context.principal, planner.statement, source)
  if (guard === 'false') return [refused]
  const pieces = fieldOf(planner, field, nodes, source)
  return guard === null ? pieces : [{ sql: `case when ${guard} then ${joined(pieces)} else ${refused.sql} end` }]
}

function fieldOf(planner: Planner, field: Field, nodes: readonly [FieldNode, ...FieldNode[]], source: Source): Piece[] {
  const { pothosExposedField, inSql, pothosPrismaRelationField } = extensionsOf(field)
  if (inSql) return [leafOf(field.type, inSql(rowOf(planner, source), planner.context))]
  if (pothosExposedField !== undefined) {
    const column = source.table.columns.get(pothosExposedField)
    if (column === undefined) throw new NotInSql(field.name)
    return [leafOf(field.type, `${source.alias}.${column.name}`, !column.isRequired)]
  }
  if (pothosPrismaRelationField === undefined) throw new NotInSql(field.name)
  return related(planner, field, nodes, source)
}

function rowOf({ statement }: Planner, source: Source): Row {
  const columnOf = ({ table, alias }: Source, name: string) => {
    const column = table.columns.get(name)
    if (column === undefined) throw new Error(`no column for ${name}`)
    return `${alias}.${column.name}`
  }
  return {
    column: name => columnOf(source, name),
    through(name, field) {
      const relation = source.table.relations.get(name)
      if (relation === undefined || relation.isList) throw new Error(`${name} leads to no single row`)
      const other = { table: tableOf(relation.model), alias: statement.alias() }
      const condition = joining(source, relation, other.alias)
      return `(select ${columnOf(other, field)} from ${other.table.name} ${other.alias} where ${condition})`
    },
    value: value => `${statement.value(value)}::text`,
  }
}

function related(planner: Planner, field: Field, nodes: readonly [FieldNode, ...FieldNode[]], source: Source): Piece[] {
  const { statement, context, document } = planner
  const args = argumentsIn(field, nodes[0], document.variables)
  const isList = isListType(getNullableType(field.type))
  checkPage(planner, field, args)
  const { relation: name, find, cursor } = findOf(field, args, context)
  const relation = source.table.relations.get(name)
  const type = getNamedType(field.type)
  if (relation === undefined || !(type instanceof GraphQLObjectType)) throw new NotInSql(field.name)
  const { model } = relation
  if (relation.isList && !isList)
    return connectionOf(planner, type, nodes, {
      model,
      find,
      args,
      cursor,
      condition: alias => joining(source, relation, alias),
      entry: (type, nodes, source) => objectFrom(planner, type, nodes, source),
    })
  const other = { table: tableOf(model), alias: statement.alias() }
  const object = joined(objectFrom(planner, type, nodes, other))
  const rows = sqlOfRows(statement, other, find, joining(source, relation, other.alias))
  if (isList)
    return ['[', { sql: `coalesce((select string_agg(${object}, ',') from (${rows}) ${other.alias}), '')` }, ']']
  const absent = isNonNullType(field.type) ? refused.sql : `'null'`
  return [{ sql: `coalesce((select ${object} from (${rows}) ${other.alias}), ${absent})` }]
}
