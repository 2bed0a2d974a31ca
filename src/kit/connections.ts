// What all connections have in common: `first` and `last` exclude each other and have a maximum, and a cursor is of an
// entry that the caller may read, or of a root field names an offset.
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { Context } from './context.ts'
import { checkCursors, haveForm } from './entry-cursor.ts'
import { declaredCost } from './field-cost.ts'
import { offsetIn } from './offset-cursor.ts'
import { parse } from './parse.ts'

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      connections: ConnectionsPlugin<Types>
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>
type Arguments = { first?: unknown; last?: unknown; after?: unknown; before?: unknown }
type Select = (args: Arguments, ...others: unknown[]) => unknown

/** How many entries to skip from the start; a key that no argument of a request can have. */
const skipped = Symbol('skipped')

class ConnectionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  /** The row above a connection is read with the page, before the connection itself can refuse a cursor. */
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const select = config.extensions?.pothosPrismaSelect
    if (!isConnection(config) || typeof select !== 'function') return config
    const pothosPrismaSelect: Select = (args, ...others) =>
      select(haveForm(this.entryOf(config), args) ? args : { first: 0 }, ...others)
    return { ...config, extensions: { ...config.extensions, pothosPrismaSelect } }
  }

  override wrapResolve(resolver: Resolver<Types>, config: PothosOutputFieldConfig<Types>): Resolver<Types> {
    if (!isConnection(config)) return resolver
    // Refused and not cut, because a client would take a shorter page for the last one.
    const maximum = declaredCost({ extensions: config.extensions ?? {} }).listSize?.maxSize
    if (maximum === undefined) throw new Error(`${config.name} declares no size of its pages`)
    const size = z.number().max(maximum, `A page has at most ${maximum} entries.`).nullish()
    const sizes = z.looseObject({ first: size, last: size })
    const entry = this.entryOf(config)
    return (parent, args: Arguments, context, info) => {
      parse(sizes, args)
      if (args.first != null && args.last != null) {
        throw invalid([{ path: ['last'], message: 'Must not be given together with `first`.', type: 'value_error' }])
      }
      const offset = config.kind === 'Query' ? offsetIn(args.after) : null
      const page = offset === null ? args : { ...args, after: null, [skipped]: offset }
      const resolve = () => resolver(parent, page, context, info)
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

const isConnection = ({ args }: { args: object }): boolean => 'first' in args && 'last' in args

/** Returns the query of a root connection, from its offset if its cursor names one. */
export const fromOffset = <Query extends { skip: number }>(query: Query, args: object): Query =>
  skipped in args && typeof args[skipped] === 'number' ? { ...query, skip: args[skipped] } : query

SchemaBuilder.registerPlugin('connections', ConnectionsPlugin)
