// Gives the resolvers of one request the same object for the same path. Pothos remembers by this object what it loaded
// for a place of the answer, as graphql-js shares it between the fields below. graphql-jit makes a new object for each
// field, and Pothos would read nested rows a second time.
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      sharedPaths: SharedPathsPlugin<Types>
    }
  }
}

type Path = GraphQLResolveInfo['path']
type Children = Map<string | number, Path>

/** The paths directly below a path, or below the context of a request. */
const below = new WeakMap<object, Children>()

function childrenOf(owner: object): Children {
  const known = below.get(owner)
  if (known) return known
  const children: Children = new Map()
  below.set(owner, children)
  return children
}

function shared(context: object, { prev, key, typename }: Path): Path {
  const above = prev && shared(context, prev)
  const siblings = childrenOf(above ?? context)
  const known = siblings.get(key)
  if (known) return known
  const path: Path = { prev: above, key, typename }
  siblings.set(key, path)
  return path
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

class SharedPathsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolver: Resolver<Types>, config: PothosOutputFieldConfig<Types>): Resolver<Types> {
    // Nothing is loaded for a value that its object has already.
    if (isLeaf(config.type) && !config.extensions?.pothosPrismaSelect) return resolver
    return (parent, args, context, info) =>
      resolver(parent, args, context, Object.assign(info, { path: shared(context, info.path), ...variablesOf(info) }))
  }
}

/** graphql-jit passes the values of variables as older versions of graphql-js did. */
function variablesOf({ variableValues }: GraphQLResolveInfo): Pick<GraphQLResolveInfo, 'variableValues'> {
  if ('coerced' in variableValues && 'sources' in variableValues) return { variableValues }
  return { variableValues: { sources: {}, coerced: variableValues } }
}

function isLeaf<Types extends SchemaTypes>(type: PothosOutputFieldConfig<Types>['type']): boolean {
  return type.kind === 'List' ? isLeaf(type.type) : type.kind === 'Scalar' || type.kind === 'Enum'
}

SchemaBuilder.registerPlugin('sharedPaths', SharedPathsPlugin)
