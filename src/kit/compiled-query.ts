// Compiles queries and mutations of the GraphQL and the REST API with graphql-jit, which calls the resolvers. No other
// file uses that library.
import { setFlagsFromString } from 'node:v8'
import { type DocumentNode, type ExecutionResult, execute, type GraphQLSchema, Kind, visit } from 'graphql'
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
 * Compiles a query or a mutation of a valid document. Time and memory grow with its fields after expanding the
 * fragments. graphql-js runs an operation that the compiler does not support.
 */
export function compiledQuery(schema: GraphQLSchema, document: DocumentNode, name?: string): RunCompiled {
  const result = isSupported(document) && compileQuery(schema, document, name, { disablingCapturingStackErrors: true })
  if (result && isCompiledQuery(result)) return (root, context, variables) => result.query(root, context, variables)
  return uncompiled(schema, document, name)
}

export const uncompiled =
  (schema: GraphQLSchema, document: DocumentNode, operationName?: string): RunCompiled =>
  (rootValue, contextValue, variableValues) =>
    execute({ schema, document, operationName, rootValue, contextValue, variableValues })

/**
 * graphql-jit notes the condition of a fragment at the fields in it, so that the fields are missing where the fragment
 * is used without the condition. It also answers what a field selects under its condition where the same field is asked
 * for without it, and loses a field with the alias `__proto__`.
 */
function isSupported(document: DocumentNode): boolean {
  let isSupported = true
  visit(document, {
    enter(node) {
      const isFragment = node.kind === Kind.FRAGMENT_SPREAD || node.kind === Kind.INLINE_FRAGMENT
      const selects = isFragment || (node.kind === Kind.FIELD && node.selectionSet !== undefined)
      if (selects && node.directives?.length) isSupported = false
      if (node.kind === Kind.FIELD && node.alias?.value === '__proto__') isSupported = false
    },
  })
  return isSupported
}
