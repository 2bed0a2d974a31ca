// What all connections have in common: `first` and `last` exclude each other and have a maximum, and a cursor may name
// an offset.
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import { z } from 'zod'
import { invalid } from '../core/errors.ts'
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

/** How many entries to skip from the start; a key that no argument of a request can have. */
const skipped = Symbol('skipped')

class ConnectionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolver: Resolver<Types>, config: PothosOutputFieldConfig<Types>): Resolver<Types> {
    if (!('first' in config.args && 'last' in config.args)) return resolver
    // Refused and not cut, because a client would take a shorter page for the last one.
    const maximum = declaredCost({ extensions: config.extensions ?? {} }).listSize?.maxSize
    if (maximum === undefined) throw new Error(`${config.name} declares no size of its pages`)
    const most = `A page has at most ${maximum} entries.`
    const size = z.number().min(0, 'Must not be negative.').max(maximum, most).nullish()
    const sizes = z.looseObject({ first: size, last: size })
    return (parent, args: Arguments, context, info) => {
      parse(sizes, args)
      demandOneOf(args, 'first', 'last')
      demandOneOf(args, 'after', 'before')
      const offset = offsetIn(args.after)
      return resolver(parent, offset === null ? args : { ...args, after: null, [skipped]: offset }, context, info)
    }
  }
}

function demandOneOf(args: Arguments, one: keyof Arguments, other: keyof Arguments): void {
  if (args[one] == null || args[other] == null) return
  throw invalid([{ path: [other], message: `Must not be given together with \`${one}\`.`, type: 'value_error' }])
}

/** Returns the query of a root connection, from its offset if its cursor names one. */
export const fromOffset = <Query extends { skip: number }>(query: Query, args: object): Query =>
  skipped in args && typeof args[skipped] === 'number' ? { ...query, skip: args[skipped] } : query

SchemaBuilder.registerPlugin('connections', ConnectionsPlugin)
