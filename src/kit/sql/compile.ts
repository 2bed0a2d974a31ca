// Compiles the queries of an operation to SQL: one statement returns the JSON text of the answer. Whatever resolvers
// would refuse, and whatever SQL cannot answer, is left to the resolvers.
import { PothosValidationError } from '@pothos/core'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { inTurn } from '../large-reads.ts'
import { refusal } from './leaf.ts'
import type { Planner } from './planner.ts'
import { read } from './read.ts'
import { fieldsOf } from './selection.ts'
import { createStatement, NotInSql, NotThisTime, objectOf, type Piece } from './statement.ts'
import { rootField } from './value.ts'

/** Returns the JSON text of the data, or null when resolvers have to answer. */
export type ReadInSql = (
  context: Context,
  variables: Record<string, unknown> | null | undefined,
) => Promise<string | null> | null

/** Returns null for an operation that is no query. */
export function compiledToSql(schema: GraphQLSchema, document: DocumentNode, name?: string): ReadInSql | null {
  const operation = getOperationAST(document, name)
  if (operation?.operation !== 'query') return null
  const fragments = new Map(
    document.definitions.flatMap(definition =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  )
  let isInSql = true
  return (context, variables) => {
    if (!isInSql) return null
    try {
      return run(planned(schema, operation, fragments, context, variables ?? {}))
    } catch (error) {
      if (error instanceof NotInSql) isInSql = false
      else tell(context, error)
      return null
    }
  }
}

// No caller knows it, so no value of a row contains it.
const unknownText = crypto.randomUUID()

type Counts = Map<string, () => Promise<number>>
type Plan = Planner & { pieces: Piece[]; counts: Counts }

function planned(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Planner['document']['fragments'],
  context: Context,
  inputs: Record<string, unknown>,
): Plan {
  const { variableValues } = getVariableValues(schema, operation.variableDefinitions ?? [], inputs)
  const type = schema.getQueryType()
  if (!variableValues || !type) throw new Error('the values of variables are wrong')
  const counts: Counts = new Map()
  const planner: Planner = {
    document: { schema, fragments, variables: variableValues },
    context,
    statement: createStatement(),
    checks: [],
    later(count) {
      const stand = JSON.stringify(`counted ${counts.size} ${unknownText}`)
      counts.set(stand, count)
      return stand
    },
  }
  const members = [...fieldsOf(planner.document, type, [operation.selectionSet])].map(([key, nodes]) => {
    const name = nodes[0].name.value
    if (name === '__typename') return [key, [JSON.stringify(type.name)]] as const
    const field = type.getFields()[name]
    if (!field) throw new NotInSql(name)
    return [key, rootField(planner, field, nodes)] as const
  })
  return { ...planner, pieces: objectOf(members), counts }
}

async function run({ statement, pieces, counts, checks, context }: Plan): Promise<string | null> {
  const cost = Math.max(...context.costs.values())
  try {
    const [text, ...totals] = await Promise.all([
      pieces.every(piece => typeof piece === 'string')
        ? pieces.join('')
        : inTurn(context, cost, () => read(context, statement, pieces)),
      ...[...counts.values()].map(count => count()),
      ...checks.map(check => check()),
    ])
    if (text.includes(refusal)) return null
    return [...counts.keys()].reduce((told, stand, index) => told.replace(stand, String(totals[index])), text)
  } catch (error) {
    tell(context, error)
    return null
  }
}

/** Logs what is no refusal. The resolvers answer in any case. */
function tell({ log }: Context, error: unknown): void {
  const isRefusal = [AppError, GraphQLError, PothosValidationError, NotThisTime].some(type => error instanceof type)
  if (!isRefusal) log.warn({ err: error }, 'a query was not read in SQL')
}
