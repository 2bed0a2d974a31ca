// Plans an operation: which root fields one statement answers, and with which text. Resolvers answer the others.
import type { GraphQLSchema, SelectionSetNode } from 'graphql'
import { extensionsOf } from '../extensions.ts'
import type { SqlHost } from '../host.ts'
import { type Query, queryOf } from '../run/query.ts'
import type { Piece } from '../write/pieces.ts'
import { createStatement, NotInSql } from '../write/statement.ts'
import { rootField } from './fields.ts'
import type { Planner } from './planner.ts'
import { type Document, fieldsOf, type Nodes } from './selection.ts'

export type Plan = {
  /** The root fields of the operation by their response keys, as they follow each other. */
  fields: ReadonlyMap<string, Nodes>
  /** The keys of those that SQL answers, in the order of its texts. */
  inSql: readonly string[]
  /**
   * The keys of those that no other field may be read before: a cursor that is newer than a list would skip changes.
   */
  first: ReadonlySet<string>
  query: Query
  checks: Planner['checks']
  counts: Planner['counts']
}

export type Operation = {
  schema: GraphQLSchema
  selectionSet: SelectionSetNode
  fragments: Document['fragments']
  /** The keys of root fields that no arguments bring into SQL. */
  never: Set<string>
}

/** `skipped`: the keys of root fields that are refused, or that these arguments keep out of SQL. */
export function planOf(
  host: SqlHost,
  operation: Operation,
  variables: Document['variables'],
  skipped = new Set<string>(),
): Plan | null {
  const { schema, selectionSet, fragments, never } = operation
  const type = schema.getQueryType()
  if (!type) return null
  const document = { schema, fragments, variables }
  const statement = createStatement(host.tables)
  const planner: Planner = { document, host, statement, checks: [], counts: new Map() }
  const fields = fieldsOf(document, type, [selectionSet])
  const pieces = new Map<string, Piece[]>()
  const first = new Set<string>()
  let mustReplan = false
  for (const [key, nodes] of fields) {
    const [{ name }] = nodes
    const field = type.getFields()[name.value]
    try {
      if (name.value === '__typename') pieces.set(key, [JSON.stringify(type.name)])
      else if (field && !never.has(key) && !skipped.has(key)) pieces.set(key, rootField(planner, field, nodes))
      if (field && extensionsOf(field).readFirst) first.add(key)
    } catch (error) {
      mustReplan = true
      if (error instanceof NotInSql) never.add(key)
      else {
        skipped.add(key)
        host.refuse(error, [])
      }
    }
  }
  // Once more without what those fields left behind: unused parameters, and counts that the caller pays for.
  if (mustReplan) return planOf(host, operation, variables, skipped)
  if (pieces.size === 0) return null
  const { checks, counts } = planner
  return { fields, inSql: [...pieces.keys()], first, query: queryOf(statement, [...pieces.values()]), checks, counts }
}
