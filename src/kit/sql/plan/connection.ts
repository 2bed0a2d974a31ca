// A connection as SQL: its page, with the cursors of its entries and what follows it.
import { formatPrismaCursor } from '@pothos/plugin-prisma'
import type { FieldNode, GraphQLObjectType } from 'graphql'
import type { CountTable } from '../extensions.ts'
import type { Arguments } from '../host.ts'
import { joined, type Piece } from '../write/pieces.ts'
import { type Find, rowsSql } from '../write/rows.ts'
import { counted } from '../write/sentinels.ts'
import { columnIn, columnOf, type Equality, equalitySql, from, type Source, sourceOf } from '../write/source.ts'
import { NotInSql } from '../write/statement.ts'
import { whereSql } from '../write/where.ts'
import type { Planner } from './planner.ts'
import { fieldsOf, objectFrom, objectTypeOf, selectionsOf } from './selection.ts'

export type List = {
  model: string
  find: Find
  args: Arguments
  /** The field of the model that its cursors contain. */
  cursor: string
  /** Further conditions on the rows. */
  keys?: readonly Equality[]
  /** Returns the pieces of an entry. */
  entry(type: GraphQLObjectType, nodes: readonly FieldNode[], source: Source): Piece[]
  /** The table that tells the number of all entries, unless it is the table of the model. */
  countTable: CountTable | null
  /** The piece that stands for this number if only the table of the model tells it. */
  total?: () => Piece
}

export function connectionOf(
  planner: Planner,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  list: List,
): Piece[] {
  const { document, statement } = planner
  const { args, cursor, find } = list
  const isBackward = args.before != null || args.last != null
  const size = Math.abs(find.take ?? 0) - 1
  const source = sourceOf(statement, list.model)
  const { alias } = source

  // If `pageInfo` is selected, one entry more than the page has is read: it shows that the list goes on.
  const fields = fieldsOf(document, type, selectionsOf(nodes))
  const looksAhead = [...fields.values()].some(([{ name }]) => name.value === 'pageInfo')
  const isOnPage = looksAhead ? ` filter (where ${alias}.n <= ${size})` : ''
  let readsRows = false
  const aggregated = (pieces: Piece[]): Piece[] => {
    readsRows = true
    return ['[', { sql: `coalesce(string_agg(${joined(pieces)}, ',')${isOnPage}, '')` }, ']']
  }
  const edgeCursor = (isFirst: boolean): Piece => {
    if (size === 0) return 'null'
    readsRows = true
    const onPage = `least(count(*), ${size})`
    const first = isBackward ? `count(*) - ${onPage} + 1` : '1'
    const last = isBackward ? 'count(*)' : onPage
    const id = `(array_agg(${columnIn(source, cursor)}))[${isFirst ? first : last}]`
    return { sql: `coalesce('"' || ${cursorText(source, cursor, id)} || '"', 'null')` }
  }
  const hasMore = (): Piece => {
    readsRows = true
    return { sql: `(count(*) > ${size})::text` }
  }
  // As Pothos answers: beyond a cursor of the request there is an entry, and beyond an end of the list there is none.
  const pageInfo: Members = {
    hasNextPage: () => [args.before != null ? 'true' : args.last != null ? 'false' : hasMore()],
    hasPreviousPage: () => [args.after != null ? 'true' : isBackward ? hasMore() : 'false'],
    startCursor: () => [edgeCursor(true)],
    endCursor: () => [edgeCursor(false)],
  }
  const edge: Members = {
    cursor: () => ['"', { sql: cursorText(source, cursor, columnIn(source, cursor)) }, '"'],
    node: (nodes, type) => list.entry(type(), nodes, source),
  }
  const connection: Members = {
    totalCount: () => [totalOf(planner, list)],
    nodes: (nodes, type) => aggregated(list.entry(type(), nodes, source)),
    pageInfo: (nodes, type) => members(type(), nodes, pageInfo),
    edges: (nodes, type) => aggregated(members(type(), nodes, edge)),
  }
  const members = (type: GraphQLObjectType, nodes: readonly FieldNode[], write: Members) =>
    objectFrom(document, type, nodes, (field, nodes) => {
      const pieces = write[field.name]?.(nodes, () => objectTypeOf(field))
      if (!pieces) throw new NotInSql(`${type.name}.${field.name}`)
      return pieces
    })

  const pieces = members(type, nodes, connection)
  if (!readsRows) return pieces
  const take = Math.sign(find.take ?? 0) * (looksAhead ? size + 1 : size)
  const rows = rowsSql(statement, source, { ...find, take }, list.keys)
  const numbered = `select ${alias}.*, row_number() over () as n from (${rows}) ${alias}`
  const forward = isBackward ? `select ${alias}.* from (${numbered}) ${alias} order by ${alias}.n desc` : numbered
  return [{ sql: `(select ${joined(pieces)} ${from(looksAhead || isBackward ? forward : rows, source)})` }]
}

/** How to write the members of an object, by the names of their fields. */
type Members = Readonly<Record<string, (nodes: readonly FieldNode[], type: () => GraphQLObjectType) => Piece[]>>

/** Returns the number of all entries. */
function totalOf({ statement }: Planner, { model, find, keys = [], countTable, total }: List): Piece {
  const source = sourceOf(statement, model)
  const { table, alias } = source
  const { name, count } = countTable ?? { name: table.name, count: 'count(*)' }
  if (total && name === table.name) return total()
  const conditions = [whereSql(statement, source, find.where), ...keys.map(key => equalitySql(alias, key))]
  const where = `where ${conditions.join(' and ')}`
  return counted(`(select ${count} || '/' || count(*) from ${name} ${alias} ${where})`)
}

function cursorText({ table }: Source, cursor: string, id: string): string {
  // The resolvers' function makes the prefix, so that both write the same cursors. A cursor ends with the value.
  const sample = columnOf(table, cursor).type === 'BigInt' ? 1n : '1'
  const prefix = Buffer.from(formatPrismaCursor({ id: sample }, 'id'), 'base64')
    .toString()
    .slice(0, -1)
  return `encode(convert_to('${prefix}' || ${id}, 'UTF8'), 'base64')`
}
