// Counts what was answered in SQL: documents, and fields.
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isObjectType,
  type SelectionSetNode,
} from 'graphql'
import { type Document, fieldsOf, type Nodes, selectionsOf } from '../../../src/kit/sql/plan/selection.ts'
import type { Both } from './both.ts'
import { claimed } from './claims.ts'
import type { Made } from './document.ts'

export function countsOf(schema: GraphQLSchema) {
  const claims = claimed(schema)
  const counts = { whole: 0, part: 0, none: 0, failed: 0 }
  const reached = new Map<string, number>()

  function walk(document: Document, type: GraphQLNamedType, sets: readonly SelectionSetNode[], value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) walk(document, type, sets, item)
      return
    }
    if (typeof value !== 'object' || value === null || !isObjectType(type)) return
    const members = new Map(Object.entries(value))
    for (const [key, nodes] of fieldsOf(document, type, sets)) note(document, type, nodes, members.get(key))
  }

  function note(document: Document, type: GraphQLNamedType, nodes: Nodes, value: unknown): void {
    const name = nodes[0].name.value
    const field = isObjectType(type) ? type.getFields()[name] : undefined
    if (!field || value === undefined) return
    reached.set(`${type.name}.${name}`, (reached.get(`${type.name}.${name}`) ?? 0) + 1)
    walk(document, getNamedType(field.type), selectionsOf(nodes), value)
  }

  return {
    counts,
    count({ document, name }: Made, values: Record<string, unknown>, { plain, plan, compiled: [first] }: Both): void {
      if (plain.faults.length > 0) counts.failed += 1
      counts[!plan || !first?.isInSql ? 'none' : plan.inSql.length === plan.fields.size ? 'whole' : 'part'] += 1
      const query = schema.getQueryType()
      const operation = getOperationAST(document, name)
      if (!plan || !first?.isInSql || !query || !operation) return
      const { variableValues } = getVariableValues(schema, operation.variableDefinitions ?? [], values)
      if (!variableValues) return
      const fragments = new Map(
        document.definitions.flatMap(one =>
          one.kind === 'FragmentDefinition' ? [[one.name.value, one] as const] : [],
        ),
      )
      const data: Record<string, unknown> = JSON.parse(first.data ?? '{}')
      const answered = { schema, fragments, variables: variableValues }
      for (const [key, nodes] of plan.fields) if (plan.inSql.includes(key)) note(answered, query, nodes, data[key])
    },
    /** The fields that claim SQL, with how often each was in an answer by SQL. */
    fields: () =>
      [...claims].flatMap(([type, fields]) =>
        [...fields].map(field => [`${type}.${field}`, reached.get(`${type}.${field}`) ?? 0] as const),
      ),
  }
}
