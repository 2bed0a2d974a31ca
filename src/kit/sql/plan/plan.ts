// Plans an operation: which root fields one statement answers, with which text, and which resolvers answer.
import type { GraphQLSchema, SelectionSetNode } from 'graphql'
import type { SqlHost } from '../host.ts'
import { type Query, queryOf } from '../run/query.ts'
import type { Piece } from '../write/pieces.ts'
import { ArgumentsNotInSql, createStatement, NotInSql } from '../write/statement.ts'
import { rootField } from './fields.ts'
import type { Planner } from './planner.ts'
import { type Document, fieldsOf, type Nodes } from './selection.ts'

/** The root fields of an operation, as they follow each other. */
export type Plan = {
  keys: readonly string[]
  /** Those that SQL answers, and those that resolvers answer, by their response keys. */
  inSql: ReadonlyMap<string, Nodes>
  others: ReadonlyMap<string, Nodes>
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

/** `skipped`: the keys of root fields that these arguments keep out of SQL. */
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
  const statement = createStatement(host.database)
  const planner: Planner = { document, host, statement, checks: [], counts: new Map() }
  const fields = fieldsOf(document, type, [selectionSet])
  const pieces = new Map<string, Piece[]>()
  const others = new Map<string, Nodes>()
  let isSpoilt = false
  for (const [key, nodes] of fields) {
    const [{ name }] = nodes
    const field = type.getFields()[name.value]
    try {
      if (name.value === '__typename') pieces.set(key, [JSON.stringify(type.name)])
      else if (field && !never.has(key) && !skipped.has(key)) pieces.set(key, rootField(planner, field, nodes))
      else others.set(key, nodes)
    } catch (error) {
      if (error instanceof NotInSql) never.add(key)
      else if (error instanceof ArgumentsNotInSql) skipped.add(key)
      else throw error
      isSpoilt = true
    }
  }
  // Once more without what those fields left behind: unused parameters, and counts that the caller pays for.
  if (isSpoilt) return planOf(host, operation, variables, skipped)
  if (pieces.size === 0) return null
  const inSql = new Map([...fields].filter(([key]) => pieces.has(key)))
  const { checks, counts } = planner
  return { keys: [...fields.keys()], inSql, others, query: queryOf(statement, [...pieces.values()]), checks, counts }
}
