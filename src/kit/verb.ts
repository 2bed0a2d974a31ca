// Defines write operations: name, required access, input and action. `runVerb` checks access, parses the input, and
// runs the action in one transaction with its audit rows, events and jobs.
import type { z } from 'zod'
import { type Access, actorOf, demand, type Principal } from '../core/principal.ts'
import { inSpan, originNow } from '../core/scope.ts'
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts'
import { batchWhileBusy } from './batch-while-busy.ts'
import type { App, Context } from './context.ts'
import { demandHere } from './moving.ts'
import { parse } from './parse.ts'
import { type AuditEntry, type Sql, sqlOf, type Transaction, withEffects } from './transaction.ts'

type Common<Input extends z.ZodType> = {
  /** `noun.verb`; the action in the audit trail. */
  name: string
  access: Access
  input: Input
}

export type VerbTransaction = Transaction & {
  db: Omit<PrismaClient, '$transaction' | '$connect' | '$disconnect' | '$on' | '$extends'>
}

/** A row of the audit trail. `action` is the verb's name unless given, and `actor` the caller. */
type Entry = Omit<AuditEntry, 'action' | 'actor'> & Partial<Pick<AuditEntry, 'action' | 'actor'>>

/** The outcome of a verb: its result, and the rows that it adds to the audit trail. */
export type Done<Result> = { result: Result; audit: readonly Entry[] | 'unchanged' }

export type Verb<Input extends z.ZodType, Result, Prepared = undefined> = Common<Input> & {
  /** Queries external systems, before the transaction, because the transaction must not wait for them. */
  prepare?(input: z.output<Input>, context: Context): Promise<Prepared>
  run(tx: VerbTransaction, input: z.output<Input>, context: Context, prepared: Prepared): Promise<Done<Result>>
}

/** `origin`: the request, as `originNow` returns it. */
export type Member<Input> = { input: Input; principal: Principal; actor: string; origin: string | null }

/**
 * An operation whose concurrent calls are written in one batch, each with its own result. `runAll` writes in one
 * statement that includes the effects, so that it needs no transaction: a lone call waits for one round trip.
 */
export type BatchedVerb<Input extends z.ZodType, Result> = Common<Input> & {
  /** Throws when this principal lacks rights beyond `access`. Called before the call joins a batch. */
  admit(principal: Principal): void
  /** Throws for an input that this service cannot carry out. Called before the call joins a batch. */
  check(input: z.output<Input>, app: App): void
  runAll(sql: Sql, members: Member<z.output<Input>>[], app: App): Promise<Result[]>
}

export const verb = <Input extends z.ZodType, Result, Prepared = undefined>(
  definition: Verb<Input, Result, Prepared>,
) => definition

export async function runVerb<Input extends z.ZodType, Result, Prepared = undefined>(
  context: Context,
  definition: Verb<Input, Result, Prepared>,
  raw: unknown,
): Promise<Result> {
  demand(context.principal, definition.access)
  demandHere(context.principal)
  const input = parse(definition.input, raw, ['input'])
  // Without `prepare`, `run` receives `undefined`.
  const prepared = (await definition.prepare?.(input, context)) as Prepared
  const by = { action: definition.name, actor: actorOf(context.principal) }
  const act = () =>
    inVerbTransaction(context, by, async tx => {
      const done = await definition.run(tx, input, context, prepared)
      // A payment is carried out once by its own name, also after a first part of the work.
      if (context.principal.kind !== 'payer') await context.carriedOut?.(tx.sql)
      return done
    })
  return inSpan(`verb ${definition.name}`, 'internal', {}, act)
}

/** Runs in an operation's transaction; called directly where the worker does what an operation does. */
export const inVerbTransaction = <Result>(
  { db }: Pick<App, 'db'>,
  by: Pick<AuditEntry, 'action' | 'actor'>,
  run: (tx: VerbTransaction) => Promise<Done<Result>>,
): Promise<Result> =>
  db.$transaction(async db => {
    const sql: Sql = (text, values = []) => db.$queryRawUnsafe(text, ...values)
    return withEffects(sql, async tx => {
      // In the trail, a change comes before what follows from it.
      const consequences: AuditEntry[] = []
      const { result, audit } = await run({ ...tx, db, audit: (...entries) => void consequences.push(...entries) })
      const changes = audit === 'unchanged' ? [] : audit.map(entry => ({ ...by, ...entry }))
      tx.audit(...changes, ...consequences)
      return result
    })
  }, transactionOptions)

// Read committed, as PostgreSQL's default; the timeouts suit a busy small machine.
const transactionOptions = {
  isolationLevel: Prisma.TransactionIsolationLevel.ReadCommitted,
  maxWait: 10_000,
  timeout: 20_000,
}

/** Binds a batched operation to one app; calls that come while a batch is written are the next batch. */
export function bindBatchedVerb<Input extends z.ZodType, Result>(app: App, definition: BatchedVerb<Input, Result>) {
  const join = batchWhileBusy<Member<z.output<Input>>, Result>(members =>
    definition.runAll(sqlOf(app.pool), members, app),
  )
  return (context: Context, raw: unknown): Promise<Result> => {
    demand(context.principal, definition.access)
    demandHere(context.principal)
    definition.admit(context.principal)
    const input = parse(definition.input, raw, ['input'])
    definition.check(input, app)
    return inSpan(`verb ${definition.name}`, 'internal', {}, () =>
      join({ input, principal: context.principal, actor: actorOf(context.principal), origin: originNow() }),
    )
  }
}
