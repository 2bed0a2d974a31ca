// The directives that schema.graphql shows: who may call a field, which errors it returns, its price, and what it costs
// of the rate limits.
import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
  isInputType,
} from 'graphql'
import { enumNameOf } from '../core/enum-name.ts'
import type { ErrorCode } from '../core/errors.ts'
import { declaredCost, type ListSize, mostCounted, tariff } from '../kit/field-cost.ts'
import { searchWeight } from '../kit/search-cost.ts'

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
  'project_moving',
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
    new GraphQLDirective({
      name: 'cost',
      description: `What the field costs of the rate limits beyond the entries that it returns, for each object that has the field. An object costs ${tariff.object} and a value ${tariff.value}, in lists once for each entry that @listSize counts; an operation costs the sum, rounded up, and at least 1. On the argument \`filter\`: what more than one condition costs, or one condition in another order than the usual; a range of the column that orders the list is none. Each value of a condition after its first costs 1. On another list of an input: what each entry costs. What is read while the operation runs, such as the rows of a count, is charged then.`,
      locations: [
        DirectiveLocation.FIELD_DEFINITION,
        DirectiveLocation.ARGUMENT_DEFINITION,
        DirectiveLocation.INPUT_FIELD_DEFINITION,
      ],
      args: { weight: { type: new GraphQLNonNull(GraphQLString), description: 'The cost, as a decimal number.' } },
    }),
    new GraphQLDirective({
      name: 'semanticNonNull',
      description:
        'The field is null only where `errors` says why. Clients that know this directive type it as non-null.',
      locations,
      args: {
        levels: {
          type: new GraphQLList(GraphQLInt),
          default: { value: [0] },
          description: 'The levels of lists that are non-null in this sense; 0 is the field itself.',
        },
      },
    }),
    new GraphQLDirective({
      name: 'listSize',
      description: `How many entries of a list the cost counts. A list without this directive counts ${tariff.undeclaredEntries}.`,
      locations,
      args: {
        assumedSize: { type: GraphQLInt, description: 'Entries when no slicing argument is given.' },
        slicingArguments: {
          type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
          description:
            'Arguments, or members of them (`input.ids`), that say how many entries are asked for: the number, or the length of the list; the largest counts, and at least 1. A list without such an argument, below the entries of another one, counts `maximum` entries.',
        },
        sizedFields: {
          type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
          description: 'Fields of the returned object that have the entries; the object itself counts once.',
        },
        requireOneSlicingArgument: {
          type: GraphQLBoolean,
          default: { value: true },
          description: 'Whether a query without a slicing argument is refused. None is.',
        },
        maximum: { type: GraphQLInt, description: 'No more entries are counted than this.' },
      },
    }),
  ]
  const config = schema.toConfig()
  return new GraphQLSchema({ ...config, directives: [...config.directives, ...directives] })
}

type Extensions = Readonly<Record<string, unknown>>

export type Applied = Record<string, Record<string, unknown>>

/** Returns the arguments of the directives that a field declares in its extensions, by the directive's name. */
export function directivesOf(extensions: Extensions, isWrite: boolean): Applied {
  const { access, ownProject, errors, errorsInGraphql, price, path, refusable } = extensions
  const { cost, listSize } = declaredCost({ extensions })
  const weight = cost + (isWrite ? tariff.write : 0)
  const level = typeof access === 'string' ? enumNameOf(access) : null
  const codes = [errors ?? [], errorsInGraphql ?? []].flat()
  return {
    ...(refusable === true && { semanticNonNull: {} }),
    ...(level !== null && { access: { level, ...(ownProject === true && { ownProject }) } }),
    ...(price !== undefined && { paid: { price, endpoint: path } }),
    ...(codes.length > 0 && { errors: { codes } }),
    ...(weight > 0 && costs(weight)),
    ...(listSize && { listSize: shownSize(listSize) }),
  }
}

/** Returns the directives of the argument of a field: what a search by it costs. */
export const directivesOfArgument = (extensions: Extensions, argument: string): Applied =>
  argument === 'filter' && declaredCost({ extensions }).search ? costs(searchWeight) : {}

/** Returns the directives of a member of the argument `filter`. */
export function directivesOfCondition(extensions: Extensions, name: string): Applied {
  const weight = declaredCost({ extensions }).search?.dear[name]
  return weight === undefined ? {} : costs(weight)
}

/** Returns the directives of the member of an input that lists the entries. */
export const directivesOfEntries = (extensions: Extensions): Applied => costs(declaredCost({ extensions }).costOfEntry)

const costs = (weight: number): Applied => ({ cost: { weight: String(weight) } })

function shownSize(size: ListSize): Record<string, unknown> {
  const { assumedSize, slicingArguments, sizedFields } = size
  return {
    assumedSize,
    ...(slicingArguments.length > 0 && { slicingArguments, requireOneSlicingArgument: false }),
    ...(sizedFields.length > 0 && { sizedFields }),
    maximum: mostCounted(size),
  }
}
