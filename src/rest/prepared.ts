// Prepares the GraphQL operation of a route at the start: analyses its cost and compiles it, so that a request only
// runs it.
import { type DocumentNode, type GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql'
import type { LiveStream } from '../kit/live/sink.ts'
import { subscribe } from '../kit/live/subscribe.ts'
import { costOf, type OperationCost } from '../kit/operation-cost.ts'
import { prepared } from '../kit/prepared.ts'

export type Variables = Record<string, unknown>
export type Result = { data?: Record<string, unknown> | null; errors?: readonly GraphQLError[] }

/** `cost` returns the cost of a request with these variables. */
export type Prepared<Context> = { cost(variables: Variables): OperationCost } & (
  | { kind: 'once'; run(variables: Variables, context: Context): Result | Promise<Result> }
  | { kind: 'stream'; open(variables: Variables, context: Context): Promise<LiveStream<Result> | Result> }
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
      open: (variables, context) => subscribe({ schema, document, variableValues: variables, contextValue: context }),
    }
  }
  const run = prepared(schema, document, operation?.name?.value)
  if (run === null) throw new Error('a route without an operation')
  return { cost, kind: 'once', run: (variables, context) => run(undefined, context, variables) }
}
