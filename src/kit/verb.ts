// Every write is a verb: its name, who may, what it takes, what it does. `perform` parses, checks access, and runs it
// in one transaction with its audit rows, events and jobs.
import { z } from 'zod'
import { type Access, actorOf, demand, type Principal } from '../core/principal.ts'
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts'
import type { App, Context } from './context.ts'
import { gather } from './gather.ts'
import { parse } from './parse.ts'
import { type Sql, sqlOf, type Transaction, withEffects } from './transaction.ts'

type Common<Input extends z.ZodType> = {
  /** `noun.verb`; the action in the audit trail. */
  name: string
  access: Access
  input: Input
}

export type VerbTransaction = Transaction & {
  db: Omit<PrismaClient, '$transaction' | '$connect' | '$disconnect' | '$on' | '$extends'>
}

export type Verb<Input extends z.ZodType, Result, Prepared = undefined> = Common<Input> & {
  /** What has to be asked of the outside first: before the transaction, which must not wait for it. */
  prepare?(input: z.output<Input>, context: Context): Promise<Prepared>
  run(tx: VerbTransaction, input: z.output<Input>, context: Context, prepared: Prepared): Promise<Result>
}

export type Member<Input> = { input: Input; principal: Principal; actor: string }

/**
 * A verb whose calls of the same moment are written together, each answered for itself. `runAll` writes in one statement
 * that carries its effects, so that it needs no transaction around it: a call that comes alone waits for one round trip.
 */
export type GatheredVerb<Input extends z.ZodType, Result> = Common<Input> & {
  /** Whether this principal may, beyond `access`; throws. Called before the input waits for others. */
  admit(principal: Principal): void
  runAll(sql: Sql, members: Member<z.output<Input>>[]): Promise<Result[]>
}

export const verb = <Input extends z.ZodType, Result, Prepared = undefined>(
  definition: Verb<Input, Result, Prepared>,
) => definition

/** What the field of a verb tells the doors of it, so that it is said once. */
export const declarationOf = ({ access, input }: Pick<Common<z.ZodType>, 'access' | 'input'>) => ({
  access,
  input: z.object({ input }),
})

export async function perform<Input extends z.ZodType, Result, Prepared = undefined>(
  context: Context,
  definition: Verb<Input, Result, Prepared>,
  raw: unknown,
): Promise<Result> {
  demand(context.principal, definition.access)
  const input = parse(definition.input, raw, ['input'])
  // A verb without `prepare` has `undefined` as what it is handed.
  const prepared = (await definition.prepare?.(input, context)) as Prepared
  return inVerbTransaction(context, tx => definition.run(tx, input, context, prepared))
}

/** For what the worker does as a verb would. */
export const inVerbTransaction = <Result>(
  { db }: Pick<App, 'db'>,
  run: (tx: VerbTransaction) => Promise<Result>,
): Promise<Result> =>
  db.$transaction(async db => {
    const sql: Sql = (text, values = []) => db.$queryRawUnsafe(text, ...values)
    return withEffects(sql, tx => run({ ...tx, db }))
  }, transactionOptions)

// Read committed, as PostgreSQL's default; the waits are those of a busy small machine.
const transactionOptions = {
  isolationLevel: Prisma.TransactionIsolationLevel.ReadCommitted,
  maxWait: 10_000,
  timeout: 20_000,
}

/** Binds a gathered verb to one app; calls made while others are being written go together next. */
export function performer<Input extends z.ZodType, Result>(
  app: Pick<Context, 'pool'>,
  definition: GatheredVerb<Input, Result>,
) {
  const join = gather<Member<z.output<Input>>, Result>(members => definition.runAll(sqlOf(app.pool), members))
  return (context: Context, raw: unknown): Promise<Result> => {
    demand(context.principal, definition.access)
    definition.admit(context.principal)
    const input = parse(definition.input, raw, ['input'])
    return join({ input, principal: context.principal, actor: actorOf(context.principal) })
  }
}
