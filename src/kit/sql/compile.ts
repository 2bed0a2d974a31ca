// Compiles the queries of an operation to SQL: one statement returns the JSON text of those root fields that consist of
// rows. Resolvers answer all other fields, and report all errors.
import { type DocumentNode, type GraphQLSchema, getOperationAST, getVariableValues, Kind, visit } from 'graphql'
import { LRUCache } from 'lru-cache'
import { isForSql } from './extensions.ts'
import type { SqlHost } from './host.ts'
import { type Operation, type Plan, planOf } from './plan/plan.ts'
import { answerOf } from './run/answer.ts'

export type CompiledPlan<Context> = Pick<Plan, 'fields' | 'inSql' | 'first'> & {
  /** Returns the JSON texts of those in SQL, by their keys; without those that resolvers have to answer after all. */
  read(context: Context): Promise<ReadonlyMap<string, string>>
}

type Inputs = Readonly<Record<string, unknown>>

const longestInputs = 1_000

/** Returns a function that compiles an operation, and returns null for one that has nothing to read in SQL. */
export function sqlCompiler<Context>(hostOf: (context: Context) => SqlHost) {
  /** The plans of recent requests. A plan follows from the operation, the principal and the variables. */
  const plans = new LRUCache<string, CompiledPlan<Context>>({ maxSize: 32_000_000, maxEntrySize: 200_000 })
  let operations = 0

  return (schema: GraphQLSchema, document: DocumentNode, name?: string) => {
    const definition = getOperationAST(document, name)
    if (definition?.operation !== 'query' || !mayBeInSql(schema, document)) return null
    const { selectionSet, variableDefinitions = [] } = definition
    const operation: Operation = { schema, selectionSet, fragments: fragmentsIn(document), never: new Set() }
    const id = ++operations

    function planFor(host: SqlHost, inputs: Inputs): CompiledPlan<Context> | null {
      const text = JSON.stringify(inputs)
      const key = text.length > longestInputs ? null : `${id} ${host.principal} ${text}`
      const known = key === null ? undefined : plans.get(key)
      if (known) return known
      const { variableValues } = getVariableValues(schema, variableDefinitions, inputs, { maxErrors: 1 })
      const plan = variableValues ? planOf(host, operation, variableValues) : null
      if (plan === null) return null
      const compiled = { ...plan, read: (context: Context) => answerOf(hostOf(context), plan) }
      if (key !== null && isReusable(plan)) plans.set(key, compiled, { size: sizeOf(plan) + key.length })
      return compiled
    }

    return (context: Context, variables: Inputs | null | undefined): CompiledPlan<Context> | null => {
      const host = hostOf(context)
      try {
        return planFor(host, variables ?? {})
      } catch (error) {
        host.refuse(error, [])
        return null
      }
    }
  }
}

function mayBeInSql(schema: GraphQLSchema, document: DocumentNode): boolean {
  const fields = schema.getQueryType()?.getFields() ?? {}
  let isFound = false
  visit(document, {
    Field({ name }) {
      const field = fields[name.value]
      isFound ||= field !== undefined && isForSql(field)
    },
  })
  return isFound
}

const fragmentsIn = ({ definitions }: DocumentNode): Operation['fragments'] =>
  new Map(
    definitions.flatMap(definition =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  )

/** Whether the plan answers later requests: no time is a parameter, and nothing is counted or checked beside it. */
const isReusable = ({ query, checks, counts }: Plan): boolean =>
  counts.size === 0 &&
  checks.length === 0 &&
  (query.text === null || !query.parameters.some(({ value }) => value instanceof Date))

const sizeOf = ({ query }: Plan): number => 1_000 + (query.text?.length ?? 0)
