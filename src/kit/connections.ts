// The rules of all connections: `first` and `last` exclude each other and have a maximum, and a cursor is of an entry
// that the caller may read, or of a root field names an offset.
import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  PothosValidationError,
  type SchemaTypes,
} from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import { z } from 'zod'
import { AppError, invalid } from '../core/errors.ts'
import type { Context } from './context.ts'
import { checkCursors, haveForm } from './entry-cursor.ts'
import { declaredCost } from './field-cost.ts'
import { offsetIn } from './offset-cursor.ts'
import { parse } from './parse.ts'
import { countBelow, withCount } from './relation-count.ts'

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      connections: ConnectionsPlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>
type Arguments = { first?: unknown; last?: unknown; after?: unknown; before?: unknown }
/** Counts the entries of a connection and charges the caller, where the list itself would count its rows. */
type Total = (parent: unknown, args: Arguments, context: Context) => Promise<number>
type Names = () => ReadonlySet<string>
type Select = (args: Arguments, context: unknown, nested: unknown, names: Names) => unknown

/** How many entries to skip from the start; a key that no argument of a request can have. */
const skipped = Symbol('skipped')

class ConnectionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  /** The row above a connection is read with the page, before the connection itself can refuse an argument. */
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const select = config.extensions?.pothosPrismaSelect
    if (!isConnection(config) || typeof select !== 'function') return config
    const planned: Select = (args, ...others) => select(args, ...others)
    const pothosPrismaSelect: Select = (args, context, nested, names) => {
      const others = [context, nested, withPage(names)] as const
      const empty = () => planned({ first: 0 }, ...others)
      if (!haveForm(this.entryOf(config), args)) return empty()
      try {
        // Once only: planning a page plans the connections inside it.
        return planned(args, ...others)
      } catch (error) {
        if (error instanceof AppError || error instanceof PothosValidationError) return empty()
        throw error
      }
    }
    return { ...config, extensions: { ...config.extensions, pothosPrismaSelect, planned } }
  }

  override wrapResolve(resolver: Resolver<Types>, config: PothosOutputFieldConfig<Types>): Resolver<Types> {
    if (!isConnection(config)) return resolver
    // Refused and not cut, because a client would take a shorter page for the last one.
    const maximum = declaredCost({ extensions: config.extensions ?? {} }).listSize?.maxSize
    if (maximum === undefined) throw new Error(`${config.name} declares no size of its pages`)
    demandSamePage(config)
    const entry = this.entryOf(config)
    const planned = plannedIn(config)
    const total = totalIn(config)
    const input = inputIn(config)
    const relation = relationIn(config)
    return (parent, args: Arguments, context, info) => {
      // Refused here also where only the number of entries is asked for, which is read below the connection.
      if (input) parse(input, args)
      const page = pageFrom(args, maximum, config.kind === 'Query')
      const resolve = () => {
        // Throws what the plan refused. Inner connections are not planned again.
        const query = planned?.(args, context, onlyQuery, noFields)
        const connection = resolver(parent, page, context, info)
        if (total) return withTotal(connection, () => total(parent, args, context as Context))
        if (!relation) return connection
        const list = { parent, type: config.parentType, relation, query }
        return withCount(connection, () => countBelow(context as Context, list))
      }
      if (page.after == null && page.before == null) return resolve()
      return checkCursors(entry, page, context as Context).then(resolve)
    }
  }

  /** Returns the name of the type of the entries; `connectionType` names the connection after it. */
  private entryOf({ type }: PothosOutputFieldConfig<Types>): string {
    if (type.kind !== 'Object') throw new Error('a connection is an object')
    return this.builder.configStore.getTypeConfig(type.ref).name.replace(/Connection$/, '')
  }
}

/** Throws where the description would tell another size of a page than the list has. */
function demandSamePage({
  name,
  extensions,
  pothosOptions,
}: {
  name: string
  extensions?: object | null | undefined
  pothosOptions: object
}) {
  const { listSize } = declaredCost({ extensions: { ...extensions } })
  if ('defaultSize' in pothosOptions && pothosOptions.defaultSize !== listSize?.assumedSize)
    throw new Error(`${name} has pages of ${pothosOptions.defaultSize} and declares ${listSize?.assumedSize}`)
}

const inputIn = ({ pothosOptions }: { pothosOptions: object }): z.ZodObject | null =>
  'input' in pothosOptions && pothosOptions.input instanceof z.ZodObject ? pothosOptions.input : null

const plannedIn = ({ extensions }: { extensions?: { planned?: Select } | null | undefined }) => extensions?.planned

const sizesUpTo = (maximum: number) => {
  const most = `A page has at most ${maximum} entries.`
  const size = z.number().min(0, 'Must not be negative.').max(maximum, most).nullish()
  return z.looseObject({ first: size, last: size })
}
const knownSizes = new Map<number, ReturnType<typeof sizesUpTo>>()

/** Returns the arguments of a page; throws `validation_failed` for arguments that are none. */
export function pageFrom<Args extends Arguments>(args: Args, maximum: number, isRoot: boolean): Args {
  const sizes = knownSizes.get(maximum) ?? sizesUpTo(maximum)
  knownSizes.set(maximum, sizes)
  parse(sizes, args)
  demandOneOf(args, 'first', 'last')
  demandOneOf(args, 'after', 'before')
  const offset = isRoot ? offsetIn(args.after) : null
  return offset === null ? args : { ...args, after: null, [skipped]: offset }
}

const totalIn = ({ extensions }: { extensions?: { total?: Total } | null | undefined }) => extensions?.total

type Relation = { pothosPrismaRelationField?: { name: string } }
const relationIn = ({ extensions }: { extensions?: Relation | null | undefined }) =>
  extensions?.pothosPrismaRelationField?.name

async function withTotal(connection: unknown, total: () => Promise<number>) {
  const page = await connection
  return typeof page === 'object' && page !== null ? { ...page, total } : page
}

/**
 * A document can name a connection twice: for entries, and for `totalCount` alone, which would select no page. Such a
 * selection never conflicts with a field that reads the same relation otherwise, and the connection would show what
 * that field read.
 */
const withPage = (names: Names) => () => new Set([...names(), 'pageInfo'])

// A plan that is made only to learn whether it accepts the arguments selects nothing.
const onlyQuery = (query: unknown) => query ?? {}
const noFields = () => new Set<string>()

const isConnection = ({ args }: { args: object }): boolean => 'first' in args && 'last' in args

function demandOneOf(args: Arguments, one: keyof Arguments, other: keyof Arguments): void {
  if (args[one] == null || args[other] == null) return
  throw invalid([{ path: [other], message: `Must not be given together with \`${one}\`.`, type: 'value_error' }])
}

/** Returns the query of a root connection, from its offset if its cursor names one. */
export const fromOffset = <Query extends { skip: number }>(query: Query, args: object): Query =>
  skipped in args && typeof args[skipped] === 'number' ? { ...query, skip: args[skipped] } : query

SchemaBuilder.registerPlugin('connections', ConnectionsPlugin)
