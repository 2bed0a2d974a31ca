// The same mistake is refused in the same way, wherever it is made: with one code, at the field, with the path of the
// argument.
import { getIntrospectionQuery, isObjectType } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { declaredCost } from '../../src/kit/field-cost.ts'
import { adminKey, type Service, startService } from '../kit/service.ts'

let service: Service
let key: string
beforeAll(async () => {
  service = await startService({ ROLES: 'api' })
  key = (await service.api.project('Mine')).key
})
afterAll(() => service.stop())

const pages = (type: string) => {
  const named = schema.getType(type)
  if (!isObjectType(named)) throw new Error(`${type} has no fields`)
  return Object.values(named.getFields()).filter(({ type }) => /Connection!?$/.test(String(type)))
}
const isOwn = (name: string) => name !== 'organisationHistory'
const lists = [
  ...pages('Query').map(field => ({ field, path: [field.name], around: (text: string) => `{ ${text} }` })),
  ...pages('Project').map(field => ({
    ...{ field, path: ['me', 'project', field.name] },
    around: (text: string) => `{ me { project { ${text} } } }`,
  })),
]

async function refusal(query: string, variables?: Record<string, unknown>, as = key) {
  const { errors } = await service.api.graphql(query, { key: as, ...(variables && { variables }) })
  return errors?.map(
    ({ path, extensions }: { path: string[]; extensions: { code: string; issues?: { path: string[] }[] } }) => ({
      path,
      code: extensions.code,
      issues: extensions.issues?.map(issue => issue.path.join('.')),
    }),
  )
}

it.each(lists)('a wrong page of $path', async ({ field, path, around }) => {
  const needed = field.args.flatMap(({ name, type }) => (String(type).endsWith('!') ? [`${name}: "x"`] : []))
  const most = declaredCost(field).listSize?.maxSize ?? 0
  const as = isOwn(field.name) ? key : adminKey
  for (const selection of ['nodes { __typename }', 'totalCount', 'pageInfo { hasNextPage }'])
    for (const [argument, text] of [
      ['first', `first: ${most + 1}`],
      ['first', 'first: -1'],
      ['after', 'after: "x"'],
    ] as const) {
      const query = around(`${field.name}(${[...needed, text].join(', ')}) { ${selection} }`)
      expect([query, await refusal(query, undefined, as)]).toEqual([
        query,
        [{ path, code: 'validation_failed', issues: [argument] }],
      ])
    }
})

it.each([
  ['a date that is none', 'createdAt: { since: "2026-13-01" }', 'createdAt.since'],
  ['a range that ends before it begins', 'createdAt: { since: "2026-12-01", until: "2026-11-01" }', 'createdAt.until'],
  ['a malformed id', 'projectId: "x"', 'projectId'],
  ['a malformed hash', 'bundleHash: "x"', 'bundleHash'],
  ['no value of several', 'statuses: []', 'statuses'],
])('%s in a filter', async (_, filter, issue) => {
  const wrong = (path: string[]) => [{ path, code: 'validation_failed', issues: [`filter.${issue}`] }]
  for (const selection of ['nodes { id }', 'totalCount']) {
    expect(await refusal(`{ receipts(filter: { ${filter} }) { ${selection} } }`)).toEqual(wrong(['receipts']))
    const below = `{ me { project { receipts(filter: { ${filter} }) { ${selection} } } } }`
    expect(await refusal(below)).toEqual(wrong(['me', 'project', 'receipts']))
  }
  const stats = `{ receiptStats(filter: { ${filter} }) { nodes { count } totalCount } }`
  expect(await refusal(stats)).toEqual(wrong(['receiptStats']))
})

it('a date as a literal and as a variable, in a query and in a mutation', async () => {
  const wrong = (field: string, issue: string) => [{ path: [field], code: 'validation_failed', issues: [issue] }]
  const list = 'query ($d: DateTime) { receipts(filter: { createdAt: { until: $d } }) { totalCount } }'
  expect(await refusal(list, { d: 'yesterday' })).toEqual(wrong('receipts', 'filter.createdAt.until'))
  const make = 'mutation ($d: DateTime) { createApiKey(input: { label: "a", expiresAt: $d }) { key } }'
  expect(await refusal(make, { d: 'yesterday' })).toEqual(wrong('createApiKey', 'input.expiresAt'))
})

it.each(['receipt', 'agent', 'payment', 'statement', 'webhookEndpoint'])('a malformed id of %s', async field => {
  expect(await refusal(`{ ${field}(id: "x") { id } }`)).toEqual([
    { path: [field], code: 'validation_failed', issues: ['id'] },
  ])
})

it('introspection with types of twelve levels is answered', async () => {
  const levels = (left: number): string => (left === 0 ? 'kind name' : `kind name ofType { ${levels(left - 1)} }`)
  const query = getIntrospectionQuery({
    inputValueDeprecation: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
  })
  const deep = `${query.slice(0, query.indexOf('fragment TypeRef'))} fragment TypeRef on __Type { ${levels(12)} }`
  expect(await refusal(deep)).toBeUndefined()
})
