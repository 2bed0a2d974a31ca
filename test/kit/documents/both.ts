// Answers a document twice: as the service does, and by graphql-js with the resolvers alone.
import { execute, type GraphQLSchema } from 'graphql'
import { pino } from 'pino'
import { maskedError, requestError } from '../../../src/graphql/errors.ts'
import { unlimited } from '../../../src/kit/allowance.ts'
import type { App, Context } from '../../../src/kit/context.ts'
import { costOf } from '../../../src/kit/operation-cost.ts'
import { type Answer, prepared } from '../../../src/kit/prepared.ts'
import { compiledToSql } from '../../../src/kit/sql/compile.ts'
import type { Made } from './document.ts'
import type { Caller } from './world.ts'

/** `faults`: what was logged, such as a statement that PostgreSQL refused; no caller sees it. */
type Shown = { data: string | undefined; errors: string[]; faults: string[]; spent: number[] }
export type Both = {
  compiled: Shown
  again: Shown
  plain: Shown
  plan: ReturnType<NonNullable<ReturnType<typeof compiledToSql>>>
  isInSql: boolean
}

const noPayment: Context['paying'] = {
  header: null,
  place: '',
  described: () => ({}),
  address: '',
  resource: null,
  isTaken: false,
  respond: () => undefined,
}

/** Answers a document once, and shows the answer as callers get it. */
async function shown(app: App, base: Omit<Context, keyof App>, run: (context: Context) => Promise<Answer>) {
  const faults: string[] = []
  const spent: number[] = []
  const log = pino({ level: 'warn' }, { write: line => void faults.push(line) })
  const allowance = { ...base.allowance, spend: (cost: number) => void spent.push(cost) }
  const answer = await run({ ...app, ...base, allowance, log })
  const errors = (answer.errors ?? []).map(error => {
    // The service shows only the locations that graphql-js reports.
    const { message, path, extensions } = requestError(maskedError(error, log))
    return JSON.stringify({ message, path, locations: error.locations, extensions })
  })
  const data = answer.dataText ?? JSON.stringify(answer.data)
  // Resolvers of one level run at once, so that the order of errors tells only which of them ended first.
  return { data, errors: errors.sort(), faults, spent: spent.sort(), isInSql: answer.dataText !== undefined }
}

/** Returns a function that answers for a caller with the values of variables. */
export function answeredBothWays(app: App, schema: GraphQLSchema, { document, name }: Made) {
  const run = prepared(schema, document, name)
  const planOf = compiledToSql(schema, document, name)
  if (!run) throw new Error('no query')
  return async ({ principal }: Caller, variableValues: Record<string, unknown>): Promise<Both> => {
    const costs = costOf(schema, document, name, variableValues).roots
    const allowance = { ...unlimited('tests'), isAnonymous: principal.kind === 'public' }
    const base = { principal, requestId: '', paying: noPayment, allowance, costs }
    const byResolvers = async (contextValue: Context): Promise<Answer> =>
      execute({ schema, document, operationName: name, contextValue, variableValues })
    const byService = async (context: Context) => {
      const answer = await run(undefined, context, variableValues)
      // The service, too, leaves wrong variables to graphql-js.
      return 'data' in answer ? answer : byResolvers(context)
    }
    const plain = await shown(app, base, byResolvers)
    const { isInSql, ...compiled } = await shown(app, base, byService)
    // With the plan of the first time, and a prepared statement.
    const again = await shown(app, base, byService)
    return { compiled, again, plain, plan: planOf?.({ ...app, ...base }, variableValues) ?? null, isInSql }
  }
}

export function areAlike({ compiled, again, plain, isInSql }: Both): boolean {
  const isRight = ({ data, errors, faults, spent }: Shown) =>
    data === plain.data &&
    errors.join() === plain.errors.join() &&
    faults.length === 0 &&
    // What SQL could not answer after all is also charged to the caller.
    (!isInSql || spent.join() === plain.spent.join())
  return isRight(compiled) && isRight(again) && plain.faults.length === 0
}

/** Returns the part of each answer where they differ. */
export function difference({ compiled, again, plain }: Both) {
  const other = [compiled, again].find(
    ({ data, errors }) => data !== plain.data || errors.join() !== plain.errors.join(),
  )
  const { data = '', errors, faults, spent } = other ?? compiled
  const expected = plain.data ?? ''
  let at = 0
  while (at < data.length && data[at] === expected[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 150)
  const answered = data === expected ? {} : { data: around(data), expected: around(expected) }
  const refused = errors.join() === plain.errors.join() ? {} : { errors, expectedErrors: plain.errors }
  return { ...answered, ...refused, faults: [...faults, ...again.faults, ...plain.faults], spent: [spent, plain.spent] }
}
