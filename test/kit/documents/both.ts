// Answers a document twice: as the service does, and by graphql-js with the resolvers alone, for which Prisma finds all
// rows.
import { execute, type GraphQLSchema } from 'graphql'
import { pino } from 'pino'
import { exactPrisma } from '../../../src/adapters/exact-prisma.ts'
import { PrismaClient } from '../../../src/generated/prisma/client.ts'
import { maskedError, requestError } from '../../../src/graphql/errors.ts'
import { unlimited } from '../../../src/kit/allowance.ts'
import type { App, Context } from '../../../src/kit/context.ts'
import { costOf } from '../../../src/kit/operation-cost.ts'
import { pagedClient } from '../../../src/kit/paged-client.ts'
import { perApp } from '../../../src/kit/per-app.ts'
import { type Answer, prepared } from '../../../src/kit/prepared.ts'
import { compiledToSql } from '../../../src/kit/sql-host.ts'
import type { Made } from './document.ts'
import type { Caller } from './world.ts'

/** `faults`: what was logged, such as a statement that PostgreSQL refused; no caller sees it. */
type Shown = { data: string | undefined; errors: string[]; faults: string[]; spent: number[]; isInSql: boolean }
type Plan = ReturnType<NonNullable<ReturnType<typeof compiledToSql>>>
/** `compiled`: the answers by the service, the first with a statement that PostgreSQL does not know yet. */
export type Both = { compiled: Shown[]; plain: Shown; plan: Plan }
export type Case = { caller: Caller; variables: Record<string, unknown> }

/** The app without SQL of our own. */
const prismaAlone = perApp(app => ({
  ...app,
  db: pagedClient(new PrismaClient({ adapter: exactPrisma(app.pool) }), null),
}))

export const noPayment: Context['paying'] = {
  header: null,
  place: '',
  described: () => ({}),
  address: '',
  resource: null,
  isTaken: false,
  respond: () => undefined,
  hasLeft: () => false,
  whenEnded: () => undefined,
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
  const run = prepared(schema, document, { operationName: name })
  if (!run) throw new Error('no query')
  const planOf = compiledToSql(schema, document, name)

  const waysOf = ({ caller: { principal }, variables }: Case) => {
    const costs = costOf(schema, document, name, variables).roots
    const allowance = { ...unlimited('tests'), isAnonymous: principal.kind === 'public' }
    const base = { principal, requestId: '', paying: noPayment, allowance, costs }
    const byResolvers = async (contextValue: Context): Promise<Answer> =>
      execute({ schema, document, operationName: name, contextValue, variableValues: variables })
    const byService = async (context: Context) => {
      const answer = await run(context, variables)
      // The two executors word wrong variables differently.
      return 'data' in answer ? answer : byResolvers(context)
    }
    return {
      plain: () => shown(prismaAlone(app), base, byResolvers),
      compiled: () => shown(app, base, byService),
      plan: () => planOf?.({ ...app, ...base }, variables) ?? null,
    }
  }

  const ways = cases.map(waysOf)
  const found: Both[] = []
  for (const { plain, compiled, plan } of ways)
    found.push({ plain: await plain(), compiled: [await compiled()], plan: plan() })
  // All at once, so that reads by one statement are run together, with plans that are known.
  const inSql = found.flatMap(({ compiled }, index) => (compiled[0]?.isInSql ? [index, index] : []))
  const again = await Promise.all(inSql.map(index => ways[index]?.compiled()))
  for (const [at, answer] of again.entries()) if (answer) found[inSql[at] ?? 0]?.compiled.push(answer)
  return found
}

/** Returns the errors by the place in the data that is null because of them. */
function placesOf({ data, errors }: Shown): Map<string, string[]> {
  const all: unknown = JSON.parse(data ?? 'null')
  const places = new Map<string, string[]>()
  for (const error of errors) {
    const { path = [] }: { path?: (string | number)[] } = JSON.parse(error)
    let value = all
    const place = path.filter(member => {
      if (typeof value !== 'object' || value === null) return false
      value = Object.entries(value).find(([key]) => key === String(member))?.[1]
      return true
    })
    places.set(place.join('.'), [...(places.get(place.join('.')) ?? []), error])
  }
  return places
}

/** An object that is null may have several errors: executors end at the first, or report all of them. */
function haveSameErrors(one: Shown, other: Shown): boolean {
  if (one.errors.join() === other.errors.join()) return true
  const [places, others] = [placesOf(one), placesOf(other)]
  return (
    places.size === others.size &&
    [...places].every(([place, errors]) => others.get(place)?.some(error => errors.includes(error)))
  )
}

const isRight = ({ plain }: Both, answer: Shown): boolean =>
  answer.data === plain.data &&
  haveSameErrors(answer, plain) &&
  // A document that fails both ways shows a fault of the resolvers: the test prints how often that is.
  (answer.faults.length === 0 || plain.faults.length > 0) &&
  // Work that SQL could not finish is also charged to the caller.
  (!answer.isInSql || answer.spent.join() === plain.spent.join())

export const areAlike = (both: Both): boolean => both.compiled.every(answer => isRight(both, answer))

/** Returns the part of each answer where they differ. */
export function difference(both: Both) {
  const { compiled, plain } = both
  const which = compiled.findIndex(answer => !isRight(both, answer))
  const { data = '', errors, faults, spent } = compiled[which] ?? plain
  const expected = plain.data ?? ''
  let at = 0
  while (at < data.length && data[at] === expected[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 150)
  const answered = data === expected ? {} : { data: around(data), expected: around(expected) }
  const refused = errors.join() === plain.errors.join() ? {} : { errors, expectedErrors: plain.errors }
  return { which, ...answered, ...refused, faults: [...faults, ...plain.faults], spent: [`${spent}`, `${plain.spent}`] }
}
