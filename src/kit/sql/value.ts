// The fields of an object in memory, such as the root of a query or the caller: those that read the database become
// SQL.
import { parsePrismaCursor } from '@pothos/plugin-prisma'
import { GraphQLObjectType, getNamedType, getNullableType, isLeafType, isListType, isNonNullType } from 'graphql'
import { type Access, demand } from '../../core/principal.ts'
import type { Context } from '../context.ts'
import { counted } from '../counting.ts'
import { type Arguments, argumentsIn, extensionsOf, type Field, type Find, optionsOf, writtenInSql } from './field.ts'
import { refused } from './leaf.ts'
import { connectionFrom, noneOf, objectsFrom } from './object.ts'
import { checkPage } from './page.ts'
import type { Planner } from './planner.ts'
import { recordedQuery, recordingContext } from './recorded.ts'
import { fieldsOf, type Nodes, selectionsOf } from './selection.ts'
import { Expression, NotInSql, NotThisTime, objectOf, type Piece } from './statement.ts'

/** Whether SQL can answer a field of the root type, with some selection. */
export function isForSql(field: Field): boolean {
  const { declared, inMemory, writeInSql } = extensionsOf(field)
  return declared !== undefined || inMemory === true || writeInSql !== undefined
}

/** Returns the pieces of a field of the root type. Throws what its access, or its arguments, are refused with. */
export function rootField(planner: Planner, field: Field, nodes: Nodes): Piece[] {
  if (!isForSql(field)) throw new NotInSql(field.name)
  const { access } = extensionsOf(field)
  demand(planner.context.principal, access as Access)
  return fieldOf(planner, field, nodes, undefined)
}

function fieldOf(planner: Planner, field: Field, nodes: Nodes, parent: unknown): Piece[] {
  const { declared, pothosExposedField, writeInSql } = extensionsOf(field)
  const { authScopes, resolve } = optionsOf(field)
  if (authScopes !== undefined) throw new NotInSql(`the scopes of ${field.name}`)
  const args = argumentsIn(field, nodes[0], planner.document.variables)
  if (declared) {
    const total = () => planner.later(() => totalOf(field, parent, args, planner.context))
    return rowsOf(planner, field, nodes, parent, args, total)
  }
  if (writeInSql) return writeInSql(planner, { field, nodes, args, parent: null })
  const value =
    pothosExposedField === undefined
      ? resolve?.(parent, args, recordingContext(planner.context), null)
      : (parent as Record<string, unknown>)[pothosExposedField]
  return complete(planner, field, nodes, value)
}

function complete(planner: Planner, field: Field, nodes: Nodes, value: unknown): Piece[] {
  const type = getNamedType(field.type)
  if (isListType(getNullableType(field.type)) || value instanceof Promise) throw new NotInSql(field.name)
  if (value == null) return [isNonNullType(field.type) ? refused : 'null']
  if (isLeafType(type)) return [JSON.stringify(type.serialize(value))]
  if (!(type instanceof GraphQLObjectType)) throw new NotInSql(field.name)
  return objectOf(
    [...fieldsOf(planner.document, type, selectionsOf(nodes))].map(([key, nodes]) => {
      const name = nodes[0].name.value
      if (name === '__typename') return [key, [JSON.stringify(type.name)]]
      const inner = type.getFields()[name]
      if (!inner) throw new NotInSql(`${type.name}.${name}`)
      return [key, fieldOf(planner, inner, nodes, value)]
    }),
  )
}

/**
 * In the extensions of a list below an object whose resolver uses columns of the object for nothing but its condition.
 * The condition must not hold for a column without a value, because it does not hold in SQL.
 */
export const listByColumns = writtenInSql((planner, { field, nodes, args, parent }) => {
  const columns = new Proxy({}, { get: (_, name) => parent && new Expression(parent.column(String(name))) })
  return rowsOf(planner, field, nodes, columns, args)
})

/** `total`: what stands for the number of all entries; unless given, they are counted by the condition of the list. */
function rowsOf(
  planner: Planner,
  field: Field,
  nodes: Nodes,
  parent: unknown,
  args: Arguments,
  total?: () => Piece,
): Piece[] {
  const { declared, counters } = extensionsOf(field)
  const type = getNamedType(field.type)
  if (!declared || !(type instanceof GraphQLObjectType)) throw new NotInSql(field.name)
  const { context } = planner
  if (declared.cursor !== undefined) {
    const page = checkPage(planner, field, args, parent === undefined)
    const find = findIn(page, declared.cursor, declared.defaultSize)
    const query = recordedQuery(field, parent, page, context, find)
    if (query?.method !== 'findMany') throw new NotInSql(field.name)
    return connectionFrom(planner, type, nodes, {
      model: query.model,
      find: { ...find, ...query.find },
      args: page,
      cursor: declared.cursor,
      counters: counters?.(args) ?? null,
      ...(total && { total }),
    })
  }
  const query = recordedQuery(field, parent, args, context)
  if (query === null) {
    // Wrong arguments are refused also where there is no object. What is planned for its fields is not used.
    const { pothosPrismaModel: model = '' } = extensionsOf(type)
    objectsFrom(planner, type, nodes, { model, find: {}, isList: false, none: `'null'` })
    return [isNonNullType(field.type) ? refused : 'null']
  }
  const isList = isListType(getNullableType(field.type))
  if (isList !== (query.method === 'findMany')) throw new NotInSql(field.name)
  const find = isList ? query.find : { ...query.find, take: 1 }
  const none = query.method === 'findUniqueOrThrow' ? refused.sql : noneOf(field)
  return objectsFrom(planner, type, nodes, { model: query.model, find, isList, none })
}

function totalOf(field: Field, parent: unknown, args: Arguments, context: Context): Promise<number> {
  const { declared, total } = extensionsOf(field)
  if (total) return total(parent, args, context)
  return counted(context, async () => {
    const read = await declared?.totalCount?.(parent, args, context, null)
    if (read === undefined) throw new Error(`${field.name} has no total`)
    return { total: read, read }
  })
}

/** One entry more than asked for tells whether there are further pages. */
function findIn({ first, last, after, before }: Arguments, cursor: string, defaultSize: number | undefined): Find {
  if ((before != null && first != null) || (after != null && last != null)) throw new NotThisTime('a page of both ends')
  const size = Number(first ?? last ?? defaultSize) + 1
  const take = before != null || last != null ? -size : size
  const place = before ?? after
  return place == null ? { take, skip: 0 } : { take, skip: 1, cursor: { [cursor]: parsePrismaCursor(place) } }
}
