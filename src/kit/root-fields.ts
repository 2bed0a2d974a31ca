// Root fields declare who may call them and which errors they return. A root field without this declaration does not
// compile. The directives in schema.graphql and the OpenAPI document are written from it.
import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core'
import type { GraphQLFieldResolver } from 'graphql'
import type { z } from 'zod'
import type { ErrorCode } from '../core/errors.ts'
import { type Access, demand } from '../core/principal.ts'
import type { Context } from './context.ts'
import { scopesOf } from './field-scopes.ts'

export type Declaration = {
  /** Checked before the field resolves. */
  access: Access
  /** Codes beside those that follow from `access`; the second text of a pair says when the error occurs. */
  errors: readonly (ErrorCode | readonly [code: ErrorCode, when: string])[]
  /** Further codes that only `@errors` lists, because the OpenAPI document stays as its clients know it. */
  errorsInGraphql?: readonly ErrorCode[]
  /** The rules of the arguments. The resolver parses them, and the OpenAPI document shows them. */
  input?: z.ZodObject
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      rootFields: RootFieldsPlugin<Types>
    }
    export interface ObjectFieldOptions<
      Types extends SchemaTypes,
      ParentShape,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** Codes beside those that follow from the scopes and the arguments. */
      errors?: Declaration['errors']
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

/** Appends when the errors occur, as far as the declaration says so. */
function described(description: string, errors: Declaration['errors']): string {
  const sentences = errors.flatMap(error => (typeof error === 'string' ? [] : `\`${error[0]}\`: ${error[1]}.`))
  return [description, ...sentences].join(' ')
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>

class RootFieldsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>) {
    if (!isRoot(config)) return insideObject(config)
    const { access, errors, errorsInGraphql, input } = declarationIn(config)
    const codes = codesIn(config, errors)
    const repeated = codes.find(code => ofAccess(access).includes(code))
    if (repeated) throw new Error(`${config.name} need not list ${repeated}: it follows from its access`)
    const field = refusable(config)
    return {
      ...field,
      description: described(config.description ?? '', errors),
      extensions: { ...field.extensions, access, input, errors: [...ofAccess(access), ...codes], errorsInGraphql },
    }
  }

  /** An argument that is one input object means what that object means. */
  override onInputFieldConfig(config: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    if (config.kind !== 'Arg' || config.description || config.type.kind !== 'InputObject') return config
    return { ...config, description: this.builder.configStore.getTypeConfig(config.type.ref).description }
  }

  override wrapResolve(resolver: Resolver<Types>, config: PothosOutputFieldConfig<Types>): Resolver<Types> {
    return config.kind === 'Query' || config.kind === 'Mutation' ? guarded(resolver, config) : resolver
  }

  override wrapSubscribe(subscriber: Resolver<Types> | undefined, config: PothosOutputFieldConfig<Types>) {
    return subscriber && config.kind === 'Subscription' ? guarded(subscriber, config) : subscriber
  }
}

/** Makes a field nullable that may be refused, so that the refusal leaves the rest of the answer. */
const refusable = <Types extends SchemaTypes>(config: PothosOutputFieldConfig<Types>) =>
  config.type.nullable
    ? config
    : { ...config, type: { ...config.type, nullable: true }, extensions: { ...config.extensions, refusable: true } }

/** Fields of an object that ask for a scope, or have arguments, declare it as root fields do, and may be refused. */
function insideObject<Types extends SchemaTypes>(config: PothosOutputFieldConfig<Types>) {
  const { authScopes, errors = [] } = declaredInside(config)
  const codes = codesIn(config, errors)
  const isRefusable = authScopes !== undefined || Object.keys(config.args).length > 0
  const field = isRefusable ? refusable(config) : config
  if (authScopes === undefined) return { ...field, extensions: { ...field.extensions, errors: codes } }
  const scopes = scopesOf(authScopes)
  const access = { access: scopes.access ?? 'read', ownProject: scopes.project !== undefined, scopes }
  const ofScope: ErrorCode[] = ['unauthenticated', 'forbidden']
  return { ...field, extensions: { ...field.extensions, ...access, errors: [...ofScope, ...codes] } }
}

/** Returns the codes of a declaration. Any field with arguments can refuse their values. */
function codesIn({ args }: { args: object }, errors: Declaration['errors']): ErrorCode[] {
  const codes = errors.map(error => (typeof error === 'string' ? error : error[0]))
  return Object.keys(args).length > 0 ? [...new Set<ErrorCode>([...codes, 'validation_failed'])] : codes
}

const isRoot = ({ kind }: { kind: string }) => kind === 'Query' || kind === 'Mutation' || kind === 'Subscription'

// A plugin learns the kind of a field, and with it the type of its options, only at run time.
const declarationIn = ({ pothosOptions }: { pothosOptions: unknown }) => pothosOptions as Declaration
const declaredInside = ({ pothosOptions }: { pothosOptions: unknown }) =>
  pothosOptions as { authScopes?: unknown; errors?: Declaration['errors'] }

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
