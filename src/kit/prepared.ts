// The one place where queries and mutations run compiled, so that the engine can change without touching a door.
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

// A compiled document takes some hundred kilobytes: the latest ones that are short enough are kept.
const keptAtMost = 200
const longestCompiled = 4_000
const compiled = new Map<DocumentNode, Map<string, RunCompiled | null>>()

/**
 * Compiles an operation of a valid document when it is first seen.
 * Null for a subscription, a long document, and what the compiler cannot do: graphql-js runs those.
 */
export function compiledQuery(schema: GraphQLSchema, document: DocumentNode, name?: string): RunCompiled | null {
  if ((document.loc?.end ?? 0) > longestCompiled) return null
  const ofDocument = compiled.get(document) ?? new Map<string, RunCompiled | null>()
  if (!compiled.has(document)) {
    const [oldest] = compiled.keys()
    if (compiled.size >= keptAtMost && oldest !== undefined) compiled.delete(oldest)
    compiled.set(document, ofDocument)
  }
  const key = name ?? ''
  const present = ofDocument.get(key)
  if (present !== undefined) return present
  const fresh = compile(schema, document, name)
  ofDocument.set(key, fresh)
  return fresh
}

function compile(schema: GraphQLSchema, document: DocumentNode, name?: string): RunCompiled | null {
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
