// An operation prepared for execution or subscription, independent of the GraphQL engine.
import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  subscribe,
} from 'graphql'
import { costOf, type OperationCost } from '../kit/operation-cost.ts'
import { compiledQuery } from '../kit/prepared.ts'

export type Variables = Record<string, unknown>
export type Result = { data?: Record<string, unknown> | null; errors?: readonly GraphQLError[] }

/** `cost` returns the cost of a request with these variables. */
export type Prepared<Context> = { cost(variables: Variables): OperationCost } & (
  | { kind: 'once'; run(variables: Variables, context: Context): Result | Promise<Result> }
  | { kind: 'stream'; open(variables: Variables, context: Context): Promise<AsyncGenerator<Result> | Result> }
)

/** Compiles the one operation of a valid document, or leaves it to graphql-js. */
export function prepare<Context>(schema: GraphQLSchema, document: DocumentNode): Prepared<Context> {
  const operation = document.definitions.find(definition => definition.kind === 'OperationDefinition')
  const whole = costOf(schema, document)
  const cost = (variables: Variables) => (whole.isConstant ? whole : costOf(schema, document, undefined, variables))
  if (operation?.operation === OperationTypeNode.SUBSCRIPTION) {
    return {
      cost,
      kind: 'stream',
      // graphql-js and not graphql-jit: the latter passes a subscriber the operation's variables as its arguments.
      open: async (variables, context) =>
        subscribe({ schema, document, variableValues: variables, contextValue: context }),
    }
  }
  const run = compiledQuery(schema, document, operation?.name?.value)
  if (run) return { cost, kind: 'once', run: (variables, context) => run(undefined, context, variables) }
  return {
    cost,
    kind: 'once',
    run: (variableValues, contextValue) => execute({ schema, document, variableValues, contextValue }),
  }
}
