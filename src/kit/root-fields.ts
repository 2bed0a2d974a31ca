// Root fields declare who may call them and which errors they return. A root field without this declaration does not
// compile. The description in the schema and the OpenAPI document are written from it.
import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import type { z } from 'zod'
import type { ErrorCode } from '../core/errors.ts'
import { type Access, demand } from '../core/principal.ts'
import type { Context } from './context.ts'

type Declaration = {
  /** Checked before the field resolves. */
  access: Access
  /** Codes beside those that follow from `access`; the second text of a pair says when the error occurs. */
  errors: readonly (ErrorCode | readonly [code: ErrorCode, when: string])[]
  /** The rules of the arguments. The resolver parses them, and the OpenAPI document shows them. */
  input?: z.ZodObject
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      rootFields: RootFieldsPlugin<Types>
    }
    export interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > extends Declaration {}
    export interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > extends Declaration {}
    export interface SubscriptionFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > extends Declaration {}
  }
}

const ofAccess = (access: Access): readonly ErrorCode[] =>
  access === 'public' ? [] : access === 'read' ? ['unauthenticated'] : ['unauthenticated', 'forbidden']

/** Returns the description as the schema shows it: the text, who may call the field, and its errors. */
function described(description: string, access: Access, errors: Declaration['errors']): string {
  const shown = errors.map(error => (typeof error === 'string' ? error : `${error[0]} (${error[1]})`))
  const list = [...ofAccess(access), ...shown].join(', ')
  return `${description}${access === 'public' ? ' Public.' : ''}${list === '' ? '' : ` Errors: ${list}.`}`
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

class RootFieldsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>) {
    if (!isRoot(config)) return config
    const { access, errors, input } = declarationIn(config)
    const codes = errors.map(error => (typeof error === 'string' ? error : error[0]))
    const repeated = codes.find(code => ofAccess(access).includes(code))
    if (repeated) throw new Error(`${config.name} need not list ${repeated}: it follows from its access`)
    return {
      ...config,
      description: described(config.description ?? '', access, errors),
      extensions: { ...config.extensions, access, input, errors: [...ofAccess(access), ...codes] },
    }
  }

  override wrapResolve(resolver: Resolver<Types>, config: PothosOutputFieldConfig<Types>): Resolver<Types> {
    return config.kind === 'Query' || config.kind === 'Mutation' ? guarded(resolver, config) : resolver
  }

  override wrapSubscribe(subscriber: Resolver<Types> | undefined, config: PothosOutputFieldConfig<Types>) {
    return subscriber && config.kind === 'Subscription' ? guarded(subscriber, config) : subscriber
  }
}

const isRoot = ({ kind }: { kind: string }) => kind === 'Query' || kind === 'Mutation' || kind === 'Subscription'

// A plugin learns the kind of a field, and with it the type of its options, only at run time.
const declarationIn = ({ pothosOptions }: { pothosOptions: unknown }) => pothosOptions as Declaration

function guarded<Types extends SchemaTypes>(
  resolver: Resolver<Types>,
  config: { pothosOptions: unknown },
): Resolver<Types> {
  const { access } = declarationIn(config)
  return (parent, args, context, info) => {
    demand((context as Context).principal, access)
    return resolver(parent, args, context, info)
  }
}

SchemaBuilder.registerPlugin('rootFields', RootFieldsPlugin)
