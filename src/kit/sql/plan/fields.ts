// Writes fields as SQL. Their object is a row, or a value in memory such as the root of a query or the caller: there,
// the fields that read the database become SQL.
import {
  type FieldNode,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { extensionsOf, isForSql, optionsOf, type Selected, writtenInSql } from '../extensions.ts'
import type { Access, Arguments, Field } from '../host.ts'
import { leafOf } from '../write/leaf.ts'
import { joined, type Piece } from '../write/pieces.ts'
import { type Find, rowsSql } from '../write/rows.ts'
import { countSentinel, refused } from '../write/sentinels.ts'
import {
  columnIn,
  columnOf,
  type Equality,
  from,
  joinedSource,
  joinKeys,
  relationOf,
  rowOf,
  type Source,
  sourceOf,
} from '../write/source.ts'
import { Expression, NotInSql } from '../write/statement.ts'
import { connectionOf, type List } from './connection.ts'
import type { Planner } from './planner.ts'
import { pageOf, recordedQuery, recordingContext, relationQuery } from './query.ts'
import { type Document, type Nodes, objectFrom, objectTypeOf } from './selection.ts'

/** The object that has a field: a row, or a value in memory; `undefined` is the root of the query. */
type Parent = { row: Source } | { row: null; value: unknown }

/** Returns the pieces of a field of the root type. Throws what its access, or its arguments, are refused with. */
export function rootField(planner: Planner, field: Field, nodes: Nodes): Piece[] {
  if (!isForSql(field)) throw new NotInSql(field.name)
  return fieldOf(planner, field, nodes, { row: null, value: undefined })
}

function fieldOf(planner: Planner, field: Field, nodes: Nodes, parent: Parent): Piece[] {
  const { document, host, checks } = planner
  const args = argumentsIn(field, nodes[0], document)
  const { access, page, check } = host.guard(field, args, !parent.row && parent.value === undefined)
  if (check) checks.push(check)
  const condition = typeof access === 'object' && guardSql(planner, parent, access)
  // Planned before the refusal is returned, because wrong arguments are refused also where there is no row.
  const pieces = fieldValue(planner, { field, nodes, args, page }, parent)
  if (access === false) return [refused]
  return condition ? [{ sql: `case when ${condition} then ${joined(pieces)} else ${refused.sql} end` }] : pieces
}

function argumentsIn(field: Field, node: FieldNode, { variables }: Document): Arguments {
  if (extensionsOf(field).pothosArgMappers?.length) throw new NotInSql(`the arguments of ${field.name}`)
  return field.args.length === 0 ? {} : getArgumentValues(field, node, variables)
}

function guardSql({ statement }: Planner, { row }: Parent, { field, value }: Exclude<Access, boolean>): string {
  if (!row) throw new NotInSql('the scopes of an object in memory')
  return `${columnIn(row, field)} = ${statement.value(value, 'uuid')}`
}

function fieldValue(planner: Planner, selected: Selected, parent: Parent): Piece[] {
  const { host, statement, counts } = planner
  const { field, args } = selected
  const { declared, writeInSql } = extensionsOf(field)
  if (declared && !parent.row)
    return declaredRows(planner, selected, parent.value, () => {
      const sentinel = countSentinel(counts.size)
      counts.set(sentinel, () => host.count(field, parent.value, args))
      return sentinel
    })
  if (writeInSql) {
    const row = parent.row && rowOf(statement, parent.row)
    return writeInSql(planner, { ...selected, parent: row, context: host.context })
  }
  return parent.row ? rowValue(planner, selected, parent.row) : memoryValue(planner, selected, parent.value)
}

function rowValue(planner: Planner, selected: Selected, row: Source): Piece[] {
  const { field } = selected
  const { inSql, asRelation, pothosPrismaRelationField, pothosExposedField } = extensionsOf(field)
  if (inSql) {
    const sql = inSql(rowOf(planner.statement, row), planner.host.context)
    return leafOf(field.type, { sql, mayBeNull: true, isUuid: false })
  }
  const relation = asRelation ?? pothosPrismaRelationField?.name
  if (relation !== undefined) return relatedRows(planner, selected, row, relation.split('.'))
  if (pothosExposedField === undefined) throw new NotInSql(field.name)
  const { isRequired, isUuid } = columnOf(row.table, pothosExposedField)
  return leafOf(field.type, { sql: columnIn(row, pothosExposedField), mayBeNull: !isRequired, isUuid })
}

function memoryValue(planner: Planner, { field, nodes, args }: Selected, parent: unknown): Piece[] {
  const { pothosExposedField } = extensionsOf(field)
  const value =
    pothosExposedField === undefined
      ? optionsOf(field).resolve?.(parent, args, recordingContext(planner.host), null)
      : (parent as Record<string, unknown>)[pothosExposedField]
  const type = getNamedType(field.type)
  if (isListType(getNullableType(field.type)) || value instanceof Promise) throw new NotInSql(field.name)
  if (value == null) return [isNonNullType(field.type) ? refused : 'null']
  if (isLeafType(type)) return [JSON.stringify(type.serialize(value))]
  return objectFrom(planner.document, objectTypeOf(field), nodes, (field, nodes) =>
    fieldOf(planner, field, nodes, { row: null, value }),
  )
}

/** The rows of a field. `keys`: what else holds for them. `cursor`: what cursors contain, if it is a connection. */
type Rows = Omit<List, 'args' | 'countTable' | 'entry' | 'cursor'> & { cursor?: string; absent?: string }

/** Returns the pieces of the rows to which a path of relations leads. */
function relatedRows(planner: Planner, selected: Selected, row: Source, path: readonly string[]): Piece[] {
  const { field, args } = selected
  const name = path.at(-1) ?? ''
  const parent = joinedSource(planner.statement, row, path.slice(0, -1))
  const { find, cursor } = relationQuery(field, name, args, planner.host.context)
  const relation = relationOf(parent.table, name)
  const rows = { model: relation.model, find, keys: joinKeys(parent, relation) }
  if (!field.args.some(({ name }) => name === 'first')) return rowsOf(planner, selected, rows)
  // Below a row, only the resolver has the object that a total of its own needs.
  const total = () => {
    throw new NotInSql(`the total of ${field.name}`)
  }
  return rowsOf(planner, selected, { ...rows, cursor, ...(extensionsOf(field).total && { total }) })
}

/**
 * In the extensions of a list below an object whose resolver uses columns of the object for nothing but its condition.
 * The condition must not hold for a column without a value, because it does not hold in SQL.
 */
export const listByColumns = writtenInSql((planner, { parent, ...selected }) => {
  const columns = new Proxy({}, { get: (_, name) => parent && new Expression(parent.column(String(name))) })
  return declaredRows(planner, selected, columns)
})

/**
 * Returns the pieces of the rows that a resolver reads. `total`: what stands for the number of all entries; unless
 * given, they are counted by the condition of the list.
 */
function declaredRows(planner: Planner, selected: Selected, parent: unknown, total?: () => Piece): Piece[] {
  const { field, nodes, args, page } = selected
  const { declared } = extensionsOf(field)
  if (!declared) throw new NotInSql(field.name)
  const { cursor, defaultSize } = declared
  if (cursor !== undefined) {
    const find = pageOf(page, cursor, defaultSize)
    const query = recordedQuery(field, parent, page, planner.host, find)
    if (query?.method !== 'findMany') throw new NotInSql(field.name)
    const rows = { model: query.model, find: { ...find, ...query.find }, cursor, ...(total && { total }) }
    return rowsOf(planner, selected, rows)
  }
  const query = recordedQuery(field, parent, args, planner.host)
  if (query === null) {
    // Wrong arguments are refused also where there is no object. What is planned for its fields is not used.
    const type = objectTypeOf(field)
    const { pothosPrismaModel: model = '' } = extensionsOf(type)
    objectsFrom(planner, type, nodes, { model, find: {}, isList: false, absent: `'null'` })
    return [isNonNullType(field.type) ? refused : 'null']
  }
  const { model, find, method } = query
  if (isList(field)) {
    if (method !== 'findMany') throw new NotInSql(field.name)
    return rowsOf(planner, selected, { model, find })
  }
  if (method === 'findMany') throw new NotInSql(field.name)
  const absent = method === 'findUniqueOrThrow' ? refused.sql : absentOf(field)
  return rowsOf(planner, selected, { model, find: { ...find, take: 1 }, absent })
}

const isList = (field: Field): boolean => isListType(getNullableType(field.type))
/** The text in the place of a row that is missing. */
const absentOf = (field: Field): string => (isNonNullType(field.type) ? refused.sql : `'null'`)

function rowsOf(planner: Planner, { field, nodes, args, page }: Selected, { cursor, ...rows }: Rows): Piece[] {
  const type = objectTypeOf(field)
  if (cursor === undefined)
    return objectsFrom(planner, type, nodes, { isList: isList(field), absent: absentOf(field), ...rows })
  const countTable = extensionsOf(field).countTable?.(args) ?? null
  const entry: List['entry'] = (type, nodes, row) => rowObject(planner, type, nodes, row)
  return connectionOf(planner, type, nodes, { ...rows, args: page, cursor, countTable, entry })
}

type Objects = { model: string; find: Find; isList: boolean; absent: string; keys?: readonly Equality[] }

/** Returns the pieces of the object, or of the list of objects, that stands for these rows. */
export function objectsFrom(
  planner: Planner,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { model, find, isList, absent, keys }: Objects,
): Piece[] {
  const source = sourceOf(planner.statement, model)
  const object = joined(rowObject(planner, type, nodes, source))
  const rows = from(rowsSql(planner.statement, source, find, keys), source)
  if (isList) return ['[', { sql: `coalesce((select string_agg(${object}, ',') ${rows}), '')` }, ']']
  return [{ sql: `coalesce((select ${object} ${rows}), ${absent})` }]
}

const rowObject = (planner: Planner, type: GraphQLObjectType, nodes: readonly FieldNode[], row: Source): Piece[] =>
  objectFrom(planner.document, type, nodes, (field, nodes) => fieldOf(planner, field, nodes, { row }))

/** Writes the objects of a field. */
type Write = (type: GraphQLObjectType, nodes: Nodes) => Piece[]

/**
 * Returns the pieces of the object that stands for a row of an expression, such as sums. `leaf`: the SQL of a leaf, by
 * its name; null for one that has no value. `objects`: what writes the others.
 */
export const computedObject = (
  { document }: Planner,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  leaf: (name: string) => string | null,
  objects: Readonly<Record<string, Write>> = {},
): Piece[] =>
  objectFrom(document, type, nodes, (field, nodes) => {
    const inner = getNamedType(field.type)
    if (isObjectType(inner)) {
      const write = objects[field.name]
      if (!write) throw new NotInSql(`${type.name}.${field.name}`)
      return write(inner, nodes)
    }
    const sql = leaf(field.name)
    return sql === null ? ['null'] : leafOf(field.type, { sql, mayBeNull: !isNonNullType(field.type), isUuid: false })
  })
