// The one place where queries and mutations are compiled, so that the engine can change without touching a door.
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

export type RunCompiled = (
  root: unknown,
  context: unknown,
  variables: Record<string, unknown> | undefined | null,
) => ExecutionResult | Promise<ExecutionResult>

/**
 * Compiles an operation of a valid document, which takes time and memory in proportion to its fields with fragments written
 * out. Null for a subscription and for what the compiler cannot do: graphql-js runs those.
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
 * Whether a variable stands elsewhere than in the arguments of a root field. Pothos reads such ones from what the engine
 * tells resolvers of the operation, and the compiler tells it in the form of an older graphql-js.
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
