// The directives that schema.graphql shows on fields: who may call a field, which errors it returns, and its price.
import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
  isInputType,
} from 'graphql'
import { enumNameOf } from '../core/enum-name.ts'
import type { ErrorCode } from '../core/errors.ts'

const AccessLevel = new GraphQLEnumType({
  name: 'AccessLevel',
  description: 'The access that the caller of a field needs. An administrator of the service may call every field.',
  values: {
    PUBLIC: { description: 'Any caller, also without credentials.' },
    READ: { description: 'Any API key.' },
    WRITE: { description: 'Any API key but that of a viewer.' },
    MANAGE: { description: 'A PROJECT_ADMIN key.' },
    ADMIN: { description: 'Administrators of the service only.' },
  },
})

const locations = [DirectiveLocation.FIELD_DEFINITION]

/** The errors of any operation, which no field declares. */
export const generalErrors = [
  'malformed_request',
  'payload_too_large',
  'invalid_graphql',
  'document_too_large',
  'document_too_costly',
  'answer_too_large',
  'document_not_found',
  'document_mismatch',
  'document_not_trusted',
  'PERSISTED_QUERY_NOT_FOUND',
  'introspection_disabled',
  'not_acceptable',
  'unsupported_media_type',
  'too_many_requests',
  'starting',
  'database_unavailable',
  'internal_error',
] as const satisfies ErrorCode[]

/** Returns the schema with the definitions of the directives. */
export function withDirectives(schema: GraphQLSchema): GraphQLSchema {
  const [ErrorCode, Decimal] = ['ErrorCode', 'Decimal'].map(name => schema.getType(name))
  if (!isInputType(ErrorCode) || !isInputType(Decimal)) throw new Error('a type of the directives is missing')
  const directives = [
    new GraphQLDirective({
      name: 'access',
      description: 'The access that the caller of the field needs.',
      locations,
      args: {
        level: { type: new GraphQLNonNull(AccessLevel), description: 'The access that the caller needs.' },
        ownProject: {
          type: new GraphQLNonNull(GraphQLBoolean),
          default: { value: false },
          description: 'Whether the object must belong to the project of the caller’s API key.',
        },
      },
    }),
    new GraphQLDirective({
      name: 'errors',
      description: `The errors of the field, by their \`extensions.code\`. Any operation can also fail with \`unauthenticated\`, for wrong credentials, and with ${generalErrors.map(code => `\`${code}\``).join(', ')}.`,
      locations,
      args: {
        codes: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ErrorCode))),
          description: 'The codes, first those that follow from the access.',
        },
      },
    }),
    new GraphQLDirective({
      name: 'paid',
      description:
        'Each call is paid for by x402, version 2: without a payment it fails with `payment_required`. An operation has at most one such field.',
      locations,
      args: {
        price: {
          type: new GraphQLNonNull(Decimal),
          description: 'The default price, in units of the payment token. `pricing` returns the present price.',
        },
        endpoint: {
          type: new GraphQLNonNull(GraphQLString),
          description: 'The path of the price in the price list, which is also that of the REST route.',
        },
      },
    }),
  ]
  const config = schema.toConfig()
  return new GraphQLSchema({ ...config, directives: [...config.directives, ...directives] })
}

type Extensions = Readonly<Record<string, unknown>>

/** Returns the arguments of the directives that a field declares in its extensions, by the directive's name. */
export function directivesOf({
  access,
  ownProject,
  errors,
  errorsInGraphql,
  price,
  path,
}: Extensions): Record<string, Record<string, unknown>> {
  const level = typeof access === 'string' ? enumNameOf(access) : null
  const codes = [errors ?? [], errorsInGraphql ?? []].flat()
  return {
    ...(level !== null && { access: { level, ...(ownProject === true && { ownProject }) } }),
    ...(price !== undefined && { paid: { price, endpoint: path } }),
    ...(codes.length > 0 && { errors: { codes } }),
  }
}
