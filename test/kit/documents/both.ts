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
type Shown = { data: string | undefined; errors: string[]; faults: string[]; spent: number[]; isInSql: boolean }
type Plan = ReturnType<NonNullable<ReturnType<typeof compiledToSql>>>
/** `compiled`: the answers by the service, the first with a statement that PostgreSQL does not know yet. */
export type Both = { compiled: Shown[]; plain: Shown; plan: Plan }
export type Case = { caller: Caller; variables: Record<string, unknown> }

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
async function shown(
  app: App,
  base: Omit<Context, keyof App>,
  run: (context: Context) => Promise<Answer>,
): Promise<Shown> {
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

/** Answers an operation in several cases. */
export async function answeredBothWays(app: App, schema: GraphQLSchema, made: Made, cases: readonly Case[]) {
  const { document, name } = made
  const run = prepared(schema, document, name)
  const planOf = compiledToSql(schema, document, name)
  if (!run) throw new Error('no query')

  function waysOf({ caller: { principal }, variables }: Case) {
    const costs = costOf(schema, document, name, variables).roots
    const allowance = { ...unlimited('tests'), isAnonymous: principal.kind === 'public' }
    const base = { principal, requestId: '', paying: noPayment, allowance, costs }
    const byResolvers = async (contextValue: Context): Promise<Answer> =>
      execute({ schema, document, operationName: name, contextValue, variableValues: variables })
    const byService = async (context: Context) => {
      const answer = await run?.(undefined, context, variables)
      // The service, too, leaves wrong variables to graphql-js.
      return answer && 'data' in answer ? answer : byResolvers(context)
    }
    return {
      plain: () => shown(app, base, byResolvers),
      compiled: () => shown(app, base, byService),
      plan: () => planOf?.({ ...app, ...base }, variables) ?? null,
    }
  }

  const found: Both[] = []
  const ways = cases.map(waysOf)
  for (const { plain, compiled, plan } of ways)
    found.push({ plain: await plain(), compiled: [await compiled()], plan: plan() })
  // All at once, so that reads by one statement are run together, with plans that are known.
  const again = await Promise.all([...ways, ...ways].map(({ compiled }) => compiled()))
  return found.map((both, index) => ({
    ...both,
    compiled: [...both.compiled, ...again.filter((_, other) => other % ways.length === index)],
  }))
}

const isRight = (plain: Shown, { data, errors, faults, spent, isInSql }: Shown): boolean =>
  data === plain.data &&
  errors.join() === plain.errors.join() &&
  faults.length === 0 &&
  // What SQL could not answer after all is also charged to the caller.
  (!isInSql || spent.join() === plain.spent.join())

export const areAlike = ({ compiled, plain }: Both): boolean =>
  plain.faults.length === 0 && compiled.every(answer => isRight(plain, answer))

/** Returns the part of each answer where they differ. */
export function difference({ compiled, plain }: Both) {
  const which = compiled.findIndex(answer => !isRight(plain, answer))
  const { data = '', errors, faults, spent } = compiled[which] ?? plain
  const expected = plain.data ?? ''
  let at = 0
  while (at < data.length && data[at] === expected[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 150)
  const answered = data === expected ? {} : { data: around(data), expected: around(expected) }
  const refused = errors.join() === plain.errors.join() ? {} : { errors, expectedErrors: plain.errors }
  return { which, ...answered, ...refused, faults: [...faults, ...plain.faults], spent: [`${spent}`, `${plain.spent}`] }
}
