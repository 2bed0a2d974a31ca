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

const AccessLevel = new GraphQLEnumType({
  name: 'AccessLevel',
  description: 'Who may call a field. An administrator of the service may call every field.',
  values: {
    PUBLIC: { description: 'Any caller, also without credentials.' },
    READ: { description: 'Any API key.' },
    WRITE: { description: 'Any API key but that of a viewer.' },
    MANAGE: { description: 'A PROJECT_ADMIN key.' },
    ADMIN: { description: 'Administrators of the service only.' },
  },
})

const locations = [DirectiveLocation.FIELD_DEFINITION]

/** Returns the schema with the definitions of the directives. */
export function withDirectives(schema: GraphQLSchema): GraphQLSchema {
  const [ErrorCode, Decimal] = ['ErrorCode', 'Decimal'].map(name => schema.getType(name))
  if (!isInputType(ErrorCode) || !isInputType(Decimal)) throw new Error('a type of the directives is missing')
  const directives = [
    new GraphQLDirective({
      name: 'access',
      description: 'Who may call the field.',
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
      description:
        'The errors of the field, by their `extensions.code`. Any operation can also fail as a whole, for instance with `invalid_graphql` or `too_many_requests`.',
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
        'Each call is paid for by x402, version 2: without a payment it fails with `payment_required`. Such a field is the only one of its operation.',
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
  price,
  path,
}: Extensions): Record<string, Record<string, unknown>> {
  const level = typeof access === 'string' ? enumNameOf(access) : null
  return {
    ...(level !== null && { access: { level, ...(ownProject === true && { ownProject }) } }),
    ...(price !== undefined && { paid: { price, endpoint: path } }),
    ...(Array.isArray(errors) && errors.length > 0 && { errors: { codes: errors } }),
  }
}
