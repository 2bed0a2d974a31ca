// The fields of a row, as SQL.
import { type FieldNode, GraphQLObjectType, getNamedType, getNullableType, isListType, isNonNullType } from 'graphql'
import { connectionOf } from './connection.ts'
import { argumentsIn, extensionsOf, type Field, type Find, findOf } from './field.ts'
import { guardOf } from './guard.ts'
import { leafOf, refused } from './leaf.ts'
import { checkPage } from './page.ts'
import type { Planner } from './planner.ts'
import { beside, columnOf, relationOf, rowOf } from './row.ts'
import { sqlOfRows } from './rows.ts'
import { fieldsOf, type Nodes, selectionsOf } from './selection.ts'
import { joined, NotInSql, objectOf, type Piece } from './statement.ts'
import { belonging, type Fixed, from, type Source, sourceOf } from './where.ts'

/** The rows of a query that become one object or a list of objects. */
type Rows = { model: string; find: Find; isList: boolean; none: string; belonging?: readonly Fixed[] }
/** What stands where there is no row. */
export const noneOf = (field: Field): string => (isNonNullType(field.type) ? refused.sql : `'null'`)

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
  return [{ sql: `coalesce((select ${object} ${found}), ${rows.none})` }]
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
  // Planned before the refusal is returned, because wrong arguments are refused also where there is no row.
  const pieces = fieldOf(planner, field, nodes, source)
  if (guard === 'false') return [refused]
  return guard === null ? pieces : [{ sql: `case when ${guard} then ${joined(pieces)} else ${refused.sql} end` }]
}

function fieldOf(planner: Planner, field: Field, nodes: Nodes, source: Source): Piece[] {
  const { pothosExposedField, inSql, pothosPrismaRelationField, asRelation, writeInSql } = extensionsOf(field)
  const { context, document, statement } = planner
  if (inSql) {
    const sql = inSql(rowOf(statement, source), context)
    return leafOf(field.type, { sql, mayBeNull: true, isUuid: false })
  }
  if (writeInSql) {
    const args = argumentsIn(field, nodes[0], document.variables)
    return writeInSql(planner, { field, nodes, args, parent: rowOf(statement, source) })
  }
  const relation = asRelation ?? pothosPrismaRelationField?.name
  if (relation !== undefined) return related(planner, field, relation, nodes, source)
  if (pothosExposedField === undefined) throw new NotInSql(field.name)
  const { name, isRequired, isUuid } = columnOf(source, pothosExposedField)
  return leafOf(field.type, { sql: `${source.alias}.${name}`, mayBeNull: !isRequired, isUuid })
}

function related(planner: Planner, field: Field, path: string, nodes: Nodes, source: Source): Piece[] {
  const { context, document, statement } = planner
  const names = path.split('.')
  const name = names.pop() ?? ''
  const parent = beside(statement, source, names)
  const args = argumentsIn(field, nodes[0], document.variables)
  checkPage(planner, field, args)
  const { find, cursor } = findOf(field, name, args, context)
  const relation = relationOf(parent, name)
  const type = getNamedType(field.type)
  if (!(type instanceof GraphQLObjectType)) throw new NotInSql(field.name)
  const own = { model: relation.model, find, belonging: belonging(parent, relation) }
  if (!field.args.some(({ name }) => name === 'first')) {
    return objectsFrom(planner, type, nodes, {
      ...own,
      isList: isListType(getNullableType(field.type)),
      none: noneOf(field),
    })
  }
  const { total, counters } = extensionsOf(field)
  // Below a row, only the resolver has the object that this total needs.
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
