// Prepares the GraphQL operation of a route at the start: analyses its cost and plans it, so that a request only
// runs it.

import { type DocumentNode, type GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql'
import type { Context } from '../kit/context.ts'
import type { LiveStream } from '../kit/live/sink.ts'
import { subscribe } from '../kit/live/subscribe.ts'
import { costOf, type OperationCost } from '../kit/operation-cost.ts'
import { prepared } from '../kit/prepared.ts'

export type Variables = Record<string, unknown>
export type Result = { data?: Record<string, unknown> | null; errors?: readonly GraphQLError[] }

/** `cost` returns the cost of a request with these variables. */
export type Prepared = { cost(variables: Variables): OperationCost } & (
  | { kind: 'once'; run(variables: Variables, context: Context): Result | Promise<Result> }
  | { kind: 'stream'; open(variables: Variables, context: Context): Promise<LiveStream<Result> | Result> }
)

/** Prepares the one operation of a valid document. */
export function prepare(schema: GraphQLSchema, document: DocumentNode): Prepared {
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
  const run = prepared(schema, document)
  if (run === null) throw new Error('a route without an operation')
  return { cost, kind: 'once', run: (variables, context) => run(context, variables) }
}
