// Answers a document twice: as the service does, and by graphql-js with the resolvers alone.
import { type ExecutionResult, execute, type GraphQLSchema } from 'graphql'
import { pino } from 'pino'
import { maskedError, requestError } from '../../../src/graphql/errors.ts'
import { unlimited } from '../../../src/kit/allowance.ts'
import type { App, Context } from '../../../src/kit/context.ts'
import { costOf } from '../../../src/kit/operation-cost.ts'
import { prepared } from '../../../src/kit/prepared.ts'
import { compiledToSql, type Plan } from '../../../src/kit/sql/compile.ts'
import type { Made } from './document.ts'
import type { Caller } from './world.ts'

export type Shown = { data: string | undefined; errors: string[] }
export type Both = { compiled: Shown; plain: Shown; plan: Plan | null; isInSql: boolean }

const silent = pino({ level: 'silent' })

const noPayment: Context['paying'] = {
  header: null,
  place: '',
  described: () => ({}),
  address: '',
  resource: null,
  isTaken: false,
  respond: () => undefined,
}

/** Resolvers of one level run at once, so that the order of errors tells only which of them ended first. */
const errorsOf = ({ errors = [] }: ExecutionResult): string[] =>
  errors.map(error => JSON.stringify(requestError(maskedError(error, silent)))).sort()

/** Returns a function that answers with each set of values, and for each caller. */
export function answeredBothWays(app: App, schema: GraphQLSchema, made: Made) {
  const { document, name } = made
  const run = prepared(schema, document, name)
  const planOf = compiledToSql(schema, document, name)
  if (!run) throw new Error('no query')
  return async ({ principal }: Caller, variables: Record<string, unknown>): Promise<Both> => {
    const costs = costOf(schema, document, name, variables).roots
    const allowance = { ...unlimited('tests'), isAnonymous: principal.kind === 'public' }
    const context = (): Context => ({ ...app, principal, requestId: '', paying: noPayment, allowance, costs })
    const byResolvers = async () =>
      execute({ schema, document, operationName: name, contextValue: context(), variableValues: variables })
    const plain = await byResolvers()
    const answer = await run(undefined, context(), variables)
    // The service, too, leaves wrong variables to graphql-js.
    const result = 'data' in answer ? answer : await byResolvers()
    return {
      compiled: { data: answer.dataText ?? JSON.stringify(result.data), errors: errorsOf(result) },
      plain: { data: JSON.stringify(plain.data), errors: errorsOf(plain) },
      plan: planOf?.(context(), variables) ?? null,
      isInSql: answer.dataText !== undefined,
    }
  }
}

export const areAlike = ({ compiled, plain }: Both): boolean =>
  compiled.data === plain.data && compiled.errors.join() === plain.errors.join()
