// A connection as SQL: its page, with the cursors of its entries and what follows it.
import { formatPrismaCursor } from '@pothos/plugin-prisma'
import { type FieldNode, GraphQLObjectType, getNamedType } from 'graphql'
import type { Arguments, Find } from './field.ts'
import type { Planner } from './planner.ts'
import { sqlOfRows } from './rows.ts'
import { fieldsOf, selectionsOf } from './selection.ts'
import { joined, NotInSql, objectOf, type Piece } from './statement.ts'
import type { Column } from './tables.ts'
import { type Fixed, from, type Source, sourceOf, sqlOfFixed, sqlOfWhere } from './where.ts'

export type List = {
  model: string
  find: Find
  args: Arguments
  /** The field of the model that its cursors contain. */
  cursor: string
  /** What else holds for the rows. */
  belonging?: readonly Fixed[]
  /** Returns the pieces of an entry. */
  entry(type: GraphQLObjectType, nodes: readonly FieldNode[], source: Source): Piece[]
  /** The table of counters that tell the number of all entries. */
  counters: string | null
  /** The piece that stands for this number where it has no counters. */
  total?: () => Piece
}

export function connectionOf(
  planner: Planner,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  list: List,
): Piece[] {
  const { statement } = planner
  const { args, find } = list
  const isBackward = args.before != null || args.last != null
  const size = Math.abs(find.take ?? 0) - 1
  const source = sourceOf(statement, list.model)
  const { alias } = source

  const fields = fieldsOf(planner.document, type, selectionsOf(nodes))
  // If `pageInfo` is asked for, one entry more than the page has is read: it shows that the list goes on.
  const looksAhead = [...fields.values()].some(([{ name }]) => name.value === 'pageInfo')
  const isOnPage = looksAhead ? ` filter (where ${alias}.n <= ${size})` : ''
  let readsRows = false
  const aggregated = (pieces: Piece[]): Piece[] => {
    readsRows = true
    return ['[', { sql: `coalesce(string_agg(${joined(pieces)}, ',')${isOnPage}, '')` }, ']']
  }
  const place = (isFirst: boolean): Piece => {
    if (size === 0) return 'null'
    readsRows = true
    const onPage = `least(count(*), ${size})`
    const first = isBackward ? `count(*) - ${onPage} + 1` : '1'
    const last = isBackward ? 'count(*)' : onPage
    const id = `(array_agg(${idIn(source, list.cursor)}))[${isFirst ? first : last}]`
    return { sql: `coalesce('"' || ${cursorText(source, list.cursor, id)} || '"', 'null')` }
  }
  const hasMore = (): Piece => {
    readsRows = true
    return { sql: `(count(*) > ${size})::text` }
  }
  // As Pothos answers: beyond a cursor of the request there is an entry, and beyond an end of the list there is none.
  const pageInfo: Readonly<Record<string, () => Piece>> = {
    hasNextPage: () => (args.before != null ? 'true' : args.last != null ? 'false' : hasMore()),
    hasPreviousPage: () => (args.after != null ? 'true' : isBackward ? hasMore() : 'false'),
    startCursor: () => place(true),
    endCursor: () => place(false),
  }

  const members = (of: GraphQLObjectType, nodes: readonly FieldNode[], write: Members) =>
    objectOf(
      [...fieldsOf(planner.document, of, selectionsOf(nodes))].map(([key, nodes]) => {
        const name = nodes[0].name.value
        if (name === '__typename') return [key, [JSON.stringify(of.name)]]
        const field = of.getFields()[name]
        const pieces = field && write(name, objectTypeIn(field.type), nodes)
        if (!pieces) throw new NotInSql(`${of.name}.${name}`)
        return [key, pieces]
      }),
    )
  const entry = (type: GraphQLObjectType, nodes: readonly FieldNode[]) => list.entry(type, nodes, source)
  const pieces = members(type, nodes, (name, type, nodes) => {
    if (name === 'totalCount') return [totalOf(planner, list)]
    if (type === null) return null
    if (name === 'nodes') return aggregated(entry(type, nodes))
    if (name === 'pageInfo') return members(type, nodes, name => (pageInfo[name] ? [pageInfo[name]()] : null))
    if (name !== 'edges') return null
    return aggregated(
      members(type, nodes, (name, type, nodes) => {
        if (name === 'cursor') return ['"', { sql: cursorText(source, list.cursor, idIn(source, list.cursor)) }, '"']
        return name === 'node' && type ? entry(type, nodes) : null
      }),
    )
  })
  if (!readsRows) return pieces
  const take = Math.sign(find.take ?? 0) * (looksAhead ? size + 1 : size)
  const rows = sqlOfRows(planner, source, { ...find, take }, list.belonging)
  const numbered = `select ${alias}.*, row_number() over () as n from (${rows}) ${alias}`
  const forward = isBackward ? `select ${alias}.* from (${numbered}) ${alias} order by ${alias}.n desc` : numbered
  return [{ sql: `(select ${joined(pieces)} ${from(looksAhead || isBackward ? forward : rows, source)})` }]
}

function totalOf({ statement, counted }: Planner, { model, find, belonging = [], counters, total }: List): Piece {
  if (total && counters === null) return total()
  const source = sourceOf(statement, model)
  const { table, alias } = source
  const conditions = [sqlOfWhere(statement, source, find.where), ...belonging.map(one => sqlOfFixed(alias, one))]
  const where = `where ${conditions.join(' and ')}`
  if (counters === null) return counted(`(select count(*) from ${table.name} ${alias} ${where})`)
  return counted(`(select coalesce(sum(${alias}.count), 0) || '/' || count(*) from ${counters} ${alias} ${where})`)
}

type Members = (name: string, type: GraphQLObjectType | null, nodes: readonly FieldNode[]) => Piece[] | null

function objectTypeIn(type: Parameters<typeof getNamedType>[0]): GraphQLObjectType | null {
  const named = getNamedType(type)
  return named instanceof GraphQLObjectType ? named : null
}

function columnOf({ table }: Source, cursor: string): Column {
  const column = table.columns.get(cursor)
  if (column === undefined) throw new NotInSql('a cursor of several columns')
  return column
}

const idIn = (source: Source, cursor: string): string => `${source.alias}.${columnOf(source, cursor).name}`

function cursorText(source: Source, cursor: string, id: string): string {
  // The resolvers' function makes the prefix, so that both write the same cursors. A cursor ends with the value.
  const sample = columnOf(source, cursor).type === 'BigInt' ? 1n : '1'
  const prefix = Buffer.from(formatPrismaCursor({ id: sample }, 'id'), 'base64')
    .toString()
    .slice(0, -1)
  return `encode(convert_to('${prefix}' || ${id}, 'UTF8'), 'base64')`
}
