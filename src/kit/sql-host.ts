// The service as the host of the compiler to SQL: its tables, its rules of access, its charges and its connections.
import { PothosValidationError } from '@pothos/core'
import { GraphQLError, getNamedType } from 'graphql'
import { AppError } from '../core/errors.ts'
import { demand, may, ownedBy, type Access as Right } from '../core/principal.ts'
import { documentLimits } from '../core/request-limits.ts'
import models from '../generated/models.json' with { type: 'json' }
import { pageFrom } from './connections.ts'
import type { App, Context } from './context.ts'
import { charged, counted } from './counting.ts'
import { checkCursors, haveForm } from './entry-cursor.ts'
import { declaredCost } from './field-cost.ts'
import type { Scopes } from './field-scopes.ts'
import { isLarge, refuseRead } from './large-reads.ts'
import {
  type Access,
  type Arguments,
  ArgumentsNotInSql,
  type CompiledPlan,
  createStatement,
  extensionsOf,
  type Field,
  type IdHost,
  NotInSql,
  optionsOf,
  type SqlHost,
  type Statement,
  sqlCompiler,
  TooLarge,
  tablesOf,
} from './sql/index.ts'
import { isBeyondLimits, read, readInTurn } from './sql-reads.ts'

export const tables = tablesOf(models)

/** Returns a statement that is sent by itself, with its parameters. */
export const ownStatement = (): Statement => createStatement(tables, number => `$${number}`)
export const valuesOf = ({ parameters }: Statement): unknown[] => parameters.map(({ value }) => value)

const contextNames: SqlHost['contextNames'] = {
  database: 'db',
  constant: new Set(['principal', 'publicBaseUrl', 'chainAliases']),
}

export const compiledToSql = sqlCompiler<Context>(context => ({
  context,
  contextNames,
  tables,
  get principal() {
    return `${context.publicBaseUrl} ${JSON.stringify(context.principal)}`
  },
  guard(field, args, isRoot) {
    const access = accessTo(field, context)
    return { access, ...pageIn(field, args, isRoot, context) }
  },
  count(field, parent, args) {
    const { declared, total } = extensionsOf(field)
    if (total) return total(parent, args, context)
    return counted(context, async () => {
      const read = await declared?.totalCount?.(parent, args, context, null)
      if (read === undefined) throw new Error(`${field.name} has no total`)
      return { total: read, read }
    })
  },
  charge(work) {
    if ('rows' in work) charged(context, { total: work.rows, read: work.rows })
    else context.allowance.spend(work.cost)
  },
  refuse: (reason, keys) => refuse(context, reason, keys),
  // Many small root fields are one large statement.
  run: (query, keys) =>
    readInTurn(
      context,
      query,
      keys.reduce((sum, key) => sum + costOf(context, key), 0),
    ),
}))

export type Plan = CompiledPlan<Context>

/** Returns the host that reads the ids of pages. */
export const idHost = (app: Pick<App, 'pool' | 'reads'>): IdHost => ({
  tables,
  run: query =>
    read(app, query).catch(error => {
      throw isBeyondLimits(error) ? new AppError('answer_too_large', undefined, { cause: error }) : error
    }),
})

/** Throws what a root field is refused with. */
function accessTo(field: Field, { principal }: Context): Access {
  const { access: right, authScopes } = optionsOf(field)
  if (right !== undefined) demand(principal, right as Right)
  if (authScopes === undefined) return true
  const { scopes }: { scopes?: Scopes } = field.extensions
  if (scopes === undefined) throw new NotInSql(`the scopes of ${field.name}`)
  const { access, project } = scopes
  if (access !== undefined && !may(principal, access)) return false
  if (project === undefined) return true
  if (!may(principal, 'read')) return false
  const { projectId } = ownedBy(principal)
  return projectId === undefined || { field: project, value: projectId }
}

/** Returns the page that arguments ask for, and throws what resolvers would refuse them with. */
function pageIn(field: Field, args: Arguments, isRoot: boolean, context: Context) {
  const { listSize } = declaredCost(field)
  if (listSize?.maxSize === undefined || !field.args.some(({ name }) => name === 'first'))
    return { page: args, check: null }
  const page = pageFrom(args, listSize.maxSize, isRoot)
  if (page.after == null && page.before == null) return { page, check: null }
  const entry = getNamedType(field.type).name.replace(/Connection$/, '')
  if (!haveForm(entry, page)) throw new ArgumentsNotInSql('a cursor without the form of one')
  return { page, check: () => checkCursors(entry, page, context) }
}

const costOf = ({ costs }: Context, key: string): number => costs.get(key) ?? 0

// An answer that was read and is not sent does not tell what it counted, so it costs as much as half of a document may.
const refusedCost = documentLimits.cost / 2

function refuse(context: Context, reason: unknown, keys: readonly string[]): void {
  const isTooLarge = reason instanceof TooLarge
  const isRefusal = [AppError, GraphQLError, PothosValidationError, ArgumentsNotInSql].some(
    type => reason instanceof type,
  )
  if (!isTooLarge && !isRefusal) context.log.warn({ err: reason }, 'a query was not read in SQL')
  if (!isTooLarge && !isBeyondLimits(reason)) return
  const large = isTooLarge ? keys : keys.filter(key => isLarge(costOf(context, key)))
  for (const key of large.length > 0 ? large : keys) refuseRead(context, key)
  context.allowance.spend(refusedCost)
}
