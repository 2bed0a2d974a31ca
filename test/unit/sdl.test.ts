// schema.graphql shows on each field what the field declares: who may call it, its errors and its price.
import {
  buildSchema,
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  isObjectType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
} from 'graphql'
import { expect, it } from 'vitest'
import { errorCodes } from '../../src/core/errors.ts'
import { withDirectives } from '../../src/graphql/directives.ts'
import { schema } from '../../src/graphql/schema.ts'
import { printedSchema } from '../../src/graphql/sdl.ts'
import { endpoints } from '../../src/modules/x402/endpoints.ts'

function fieldsIn(sdl: string): Map<string, FieldDefinitionNode> {
  const types = parse(sdl).definitions.filter(definition => definition.kind === Kind.OBJECT_TYPE_DEFINITION)
  return new Map(
    types.flatMap(({ name, fields }) => (fields ?? []).map(field => [`${name.value}.${field.name.value}`, field])),
  )
}

const printed = printedSchema(schema)
const fields = fieldsIn(printed)
const textOf = (field: string) => fields.get(field)?.directives?.map(node => print(node).replace(/\s+/g, ' ')) ?? []
const named = (nodes: readonly ConstDirectiveNode[] | undefined, name: string) =>
  nodes?.find(node => node.name.value === name)

it('a field has the directives of its own declaration, and a field without a declaration has none', () => {
  const field = (extensions: Record<string, unknown>) => ({ type: GraphQLString, extensions })
  const parts = buildSchema('type Query { a: Int } enum ErrorCode { not_found forbidden } scalar Decimal')
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      open: { ...field({ access: 'public', errors: [] }), description: 'An open field: not @this.' },
      own: field({ access: 'manage', ownProject: true, errors: ['forbidden', 'not_found'] }),
      plain: { ...field({}), args: { of: { type: GraphQLString, description: 'Any\n\ntext.' } } },
      dear: field({ cost: 3, listSize: { assumedSize: 2 } }),
      paged: field({ listSize: { assumedSize: 5, maxSize: 50, slicingArguments: ['first'], sizedFields: ['nodes'] } }),
      sold: field({ access: 'public', errors: ['not_found'], price: '0.5', path: '/p' }),
    },
  })
  const types = ['ErrorCode', 'Decimal'].flatMap(name => parts.getType(name) ?? [])
  const sdl = printedSchema(withDirectives(new GraphQLSchema({ query, types })))
  const shown = [...fieldsIn(sdl)].map(([name, node]) => [name, (node.directives ?? []).map(print).join(' ')])
  expect(Object.fromEntries(shown)).toEqual({
    'Query.open': '@access(level: PUBLIC)',
    'Query.own': '@access(level: MANAGE, ownProject: true) @errors(codes: [forbidden, not_found])',
    'Query.plain': '',
    'Query.dear': '@cost(weight: "3") @listSize(assumedSize: 2, maximum: 20)',
    'Query.paged':
      '@listSize(assumedSize: 5, maximum: 50, requireOneSlicingArgument: false, sizedFields: ["nodes"], slicingArguments: ["first"])',
    'Query.sold': '@access(level: PUBLIC) @paid(endpoint: "/p", price: "0.5") @errors(codes: [not_found])',
  })
})

it('schema.graphql differs from the schema in these directives alone', () => {
  expect(printSchema(lexicographicSortSchema(buildSchema(printed)))).toBe(printSchema(lexicographicSortSchema(schema)))
})

it('every root field names its access and its errors, and no other field is public', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  for (const [name, { directives }] of fields) {
    const [type = '', field = ''] = name.split('.')
    const isRoot = roots.some(root => root?.name === type)
    const access = named(directives, 'access')
    if (isRoot) expect([name, access && print(access)]).toEqual([name, expect.stringMatching(/level: [A-Z]+\)$/)])
    else if (access) expect([name, print(access)]).toEqual([name, expect.not.stringContaining('PUBLIC')])
    const object = schema.getType(type)
    const { errors: codes, errorsInGraphql } = isObjectType(object) ? (object.getFields()[field]?.extensions ?? {}) : {}
    const declared = [codes ?? [], errorsInGraphql ?? []].flat()
    const errors = named(directives, 'errors')
    expect([
      name,
      errors &&
        print(errors)
          .match(/\b[a-z_]{4,}\b/g)
          ?.slice(2),
    ]).toEqual([name, declared.length > 0 ? declared : undefined])
    if (fields.get(name)?.arguments?.length)
      expect([name, declared]).toEqual([name, expect.arrayContaining(['validation_failed'])])
  }
})

it('fields within an object show their scope', () => {
  expect(textOf('Receipt.callbackUrl')).toContain('@access(level: READ, ownProject: true)')
  expect(textOf('Project.configHistory')).toContain('@access(level: MANAGE, ownProject: true)')
  expect(textOf('WebhookEndpoint.secret')).toContain('@access(level: MANAGE)')
  expect(textOf('Receipt.status')).toEqual([])
})

it('a write, a search and a condition that costs more show their cost', () => {
  expect(textOf('Mutation.revokeSession')).toContain('@cost(weight: "5")')
  const [filter] = fields.get('Query.receipts')?.arguments?.filter(({ name }) => name.value === 'filter') ?? []
  expect(filter?.directives?.map(print)).toEqual(['@cost(weight: "100")'])
  expect(printed).toMatch(/^ {2}reference: TextFilter @cost\(weight: "100"\)$/m)
})

it('every paid endpoint is a field with its default price', () => {
  const paid = [...fields.values()].flatMap(({ directives }) => named(directives, 'paid') ?? []).map(print)
  const prices = Object.values(endpoints).map(({ path, price }) => `@paid(endpoint: "${path}", price: "${price}")`)
  expect(paid.sort()).toEqual(prices.sort())
})

it('the values of ErrorCode are the codes themselves', () => {
  const type = schema.getType('ErrorCode')
  expect(type && 'getValues' in type && type.getValues().map(({ name }) => name)).toEqual(
    Object.keys(errorCodes).sort(),
  )
})

it('the older form of sign-in is deprecated', () => {
  expect(printed).toContain('nonce: String @deprecated(reason: ')
})

it('a field with arguments is nullable, so that a refused argument leaves the object around it', () => {
  const nonNull = [...fields].filter(
    ([, { arguments: args, type }]) => args?.length && type.kind === Kind.NON_NULL_TYPE,
  )
  expect(nonNull.map(([name]) => name)).toEqual([])
})

it('says of what is deprecated since when it is, and how long it stays', () => {
  const reasons = [...printed.matchAll(/@deprecated(?:\(reason: "(.*?)"\))?/g)].map(([, reason]) => reason)
  expect(reasons.length).toBeGreaterThan(0)
  for (const reason of reasons)
    expect(reason).toMatch(/Deprecated since \d{4}-\d\d-\d\d, and kept until \d{4}-\d\d-\d\d at least\.$/)
})
