// Compiles queries and mutations of the GraphQL and the REST API with graphql-jit. No other file uses that library.
import { setFlagsFromString } from 'node:v8'
import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'

// V8 would keep the source of every function that was made from text until the heap is full; with changing documents
// the process would grow to its limit.
setFlagsFromString('--no-compilation-cache')

export type RunCompiled = (
  root: unknown,
  context: unknown,
  variables: Record<string, unknown> | undefined | null,
) => ExecutionResult | Promise<ExecutionResult>

/**
 * Compiles an operation of a valid document. Time and memory grow with its fields after expanding the fragments.
 * Returns null for a subscription and for an operation that the compiler does not support: graphql-js runs those.
 */
export function compiledQuery(schema: GraphQLSchema, document: DocumentNode, name?: string): RunCompiled | null {
  const operation = getOperationAST(document, name)
  if (operation?.operation !== 'query' && operation?.operation !== 'mutation') return null
  if (hasInnerVariables(document)) return null
  const result = compileQuery(schema, document, name, { disablingCapturingStackErrors: true })
  if (!isCompiledQuery(result)) return null
  return (root, context, variables) => result.query(root, context, variables)
}

/**
 * Whether a variable occurs outside the arguments of a root field. Pothos reads such a variable from the resolver's
 * `info`, which the compiler passes in the form of an older graphql-js.
 */
function hasInnerVariables(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    VariableDefinition: () => false,
    Variable: (_node, _key, _parent, _path, ancestors) => {
      const kinds = ancestors.flatMap(ancestor => ('kind' in ancestor ? [ancestor.kind] : []))
      const isRootArgument = kinds.filter(kind => kind === Kind.FIELD).length === 1
      if (isRootArgument && !kinds.includes(Kind.DIRECTIVE) && !kinds.includes(Kind.FRAGMENT_DEFINITION)) return
      found = true
      return BREAK
    },
  })
  return found
}
