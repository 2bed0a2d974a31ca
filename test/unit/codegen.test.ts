// The REST generator: what it makes of an operation, and where it reports each mistake.

import { buildSchema, type GraphQLSchema, isObjectType, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { moment } from '../../src/core/moment.ts'
import { generated, mistakes } from '../kit/rest-documents.ts'
import { declareRootFields } from '../kit/root-fields.ts'

const sdl = `
  scalar DateTime
  scalar Decimal
  scalar Base64
  scalar JSON
  enum Scope { mine all }
  type Receipt {
    "Its id."
    id: ID!
    status: Status!
    bundleHash: String
    amount: Decimal!
    createdAt: DateTime!
    artifacts(type: String): [Artifact!]!
  }
  enum Status { pending anchored }
  type Artifact { type: String!, sha256: String }
  type Page { items: [Receipt!]!, total: Int! }
  type File { name: String!, mediaType: String!, sha256: String!, content: Base64! }
  type Key { id: ID!, secret: String! }
  type Logged { id: ID!, chainId: Float, url: String! }
  type Done { ok: Boolean! }
  type Failed { why: String! }
  type Asked { url: String, hash: String, at: Int! }
  type Found { asked: Asked!, found: Boolean! }
  type Lost { asked: Asked!, why: String! }
  union Answer = Found | Lost
  union Outcome = Done | Failed
  input RecordInput { tipTxHash: String!, amount: Decimal!, callbackUrl: String, parts: [PartInput!] }
  input PartInput { partName: String!, weight: Int = 1, kind: Scope, note: String }
  input LoopInput { inner: LoopInput }
  type Query {
    ping: String!
    receipt("The id." id: ID!): Receipt
    page(scope: Scope! = mine, page: Int! = 1, tags: [String!]): Page!
    file(id: ID!, name: String!): File
    url: String!
    outcome: Outcome!
    answers: [Answer!]!
    "Something for money."
    premium: Asked!
    list: [Receipt!]!
    logged: Logged!
    loop(input: LoopInput): String
  }
  type Mutation { record("The record." input: RecordInput!): Receipt!, mint(label: String): Key!, many(parts: [PartInput!]!): [Receipt!]! }
  type Subscription { changes(id: ID!, after: ID): Receipt! }
`

const recordRules = z.object({
  input: z.object({
    tipTxHash: z.string().min(1).max(255),
    amount: z.string().regex(/^\d+$/),
    callbackUrl: z.url().nullish(),
    parts: z
      .array(
        z.object({
          partName: z.string().max(7),
          weight: z.int().min(1),
          kind: z.string().optional(),
          note: z.string().nullish(),
        }),
      )
      .max(3)
      .optional(),
  }),
})

function testSchema(): GraphQLSchema {
  const schema = buildSchema(sdl)
  const extend = (type: 'Query' | 'Mutation', field: string, extensions: object) => {
    const found = (type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[field]
    if (found) found.extensions = { ...extensions }
  }
  extend('Mutation', 'record', { input: recordRules, access: 'write' })
  extend('Query', 'premium', {
    access: 'public',
    paid: true,
    errors: ['payment_required', 'delivery_failed', 'settlement_pending'],
  })
  extend('Query', 'receipt', { input: z.object({ id: z.guid().meta({ format: 'uuid' }) }), access: 'public' })
  const logged = { id: { pattern: '^[1-9][0-9]*$' }, chainId: { type: 'integer' }, url: { format: 'uri' } }
  const type = schema.getType('Logged')
  for (const [name, answer] of Object.entries(logged)) {
    if (isObjectType(type)) Object.assign(type.getFields()[name] ?? {}, { extensions: { answer } })
  }
  extend('Query', 'page', { input: z.object({ tags: z.array(moment).optional().describe('ISO 4217 codes') }) })
  return declareRootFields(schema)
}

const schema = testSchema()

const record = `"Record a payment. Never moves funds."
mutation Record($tip_tx_hash: String!, $amount: Decimal!, $callback_url: String, $parts: [PartInput!])
@rest(method: POST, path: "/v1/record", request: "RecordRequest", response: "RecordResponse") {
  record(input: { tipTxHash: $tip_tx_hash, amount: $amount, callbackUrl: $callback_url, parts: $parts }) {
    receipt_id: id
    status
    bundleHash
  }
}`

const get = (name: string, path: string, root: string, more = '') =>
  `query ${name}${more} @rest(method: GET, path: "${path}") {\n  ${root}\n}\n`

describe('an operation becomes a route that', () => {
  const { routes, openapi } = generated(schema, {
    receipts: `# What was
# paid.

${record}
query Receipt($rid: ID!) @rest(method: GET, path: "/v1/receipts/{rid}", response: "ReceiptResponse") {
  receipt(id: $rid) { ...Facts  artifacts { ...Paper } }
}
fragment Facts on Receipt { id status createdAt }
fragment Paper on Artifact { type sha256 }
query Page($scope: Scope, $page: Int, "Codes of ISO 4217." $tags: [String!]) @rest(method: GET, path: "/v1/page") {
  page(scope: $scope, page: $page, tags: $tags) { items @schema(name: "Summary") { id } total }
}
mutation Mint($label: String) @rest(method: POST, path: "/v1/mint", takesKey: true) { mint(label: $label) { id secret @header(name: "X-API-Key") } }
mutation Many($parts: [PartInput!]! @body) @rest(method: POST, path: "/v1/many") { many(parts: $parts) { id } }
query Outcome @rest(method: GET, path: "/v1/outcome") { outcome { ... on Done { ok } ... on Failed { why } } }
subscription Changes($rid: ID!, $last: ID @header(name: "Last-Event-ID")) @rest(method: GET, path: "/v1/changes/{rid}") {
  changes(id: $rid, after: $last) { id @eventId status }
}
query File($rid: ID!, $name: String!) @rest(method: GET, path: "/files/{rid}/{name}", answer: FILE, mediaTypes: ["application/zip"]) {
  file(id: $rid, name: $name) { name mediaType sha256 content }
}
query Answers @rest(method: GET, path: "/v1/answers") {
  answers { ... on Found { asked @sparse { url hash at } found } ... on Lost { asked @sparse { url hash at } why } }
}
query Premium @rest(method: POST, path: "/v1/premium") { premium @sparse { url at } }
query Logged @rest(method: GET, path: "/v1/logged") { logged { id chainId url } }
query Go @rest(method: GET, path: "/go", answer: REDIRECT) { url }
`,
  })
  const route = (name: string) => routes.find(candidate => candidate.name === name)
  const at = (...path: string[]): unknown =>
    path.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      openapi,
    )
  const named = (name: string) => at('components', 'schemas', name)

  it('runs documents of the plain schema with wire names, so that nothing is renamed during a request', () => {
    for (const { document } of routes) expect(validate(schema, parse(document))).toEqual([])
    expect(route('Record')?.document).toContain('bundle_hash: bundleHash')
    expect(route('Record')?.document).not.toContain('@')
    expect(route('Receipt')?.document).toContain('created_at: createdAt')
  })

  it('maps each argument to the request, so that an input error names the member that the caller sent', () => {
    expect(route('Record')?.feeds).toMatchObject({ 'input.tipTxHash': ['body', 'tip_tx_hash'] })
    expect(route('Changes')?.feeds).toEqual({ id: ['path', 'rid'], after: ['header', 'last-event-id'] })
    expect(route('Many')?.feeds).toEqual({ parts: ['body'] })
  })

  it('has its kind of answer', () => {
    expect(route('Changes')).toMatchObject({ kind: 'events', eventId: 'id' })
    expect(route('Go')).toMatchObject({ kind: 'redirect', status: 307 })
    expect(route('File')).toMatchObject({ kind: 'file', path: '/files/:rid/:name' })
    expect(route('Mint')).toMatchObject({ headers: [{ key: 'secret', header: 'X-API-Key' }] })
    expect(route('Record')).toMatchObject({ access: 'write' })
  })

  it('has the format of an id from its rule, and the names of nested fields', () => {
    expect(route('Receipt')?.params[0]?.type).toEqual({ kind: 'scalar', name: 'ID', format: 'uuid', nullable: false })
    const parts = route('Record')?.params[3]?.type
    expect(parts).toMatchObject({
      kind: 'list',
      of: { fields: [{ name: 'part_name', field: 'partName' }, {}, {}, {}] },
    })
  })

  it('accepts an absent argument, but not null, where the schema does not allow null', () => {
    expect(route('Page')?.params[1]).toMatchObject({ name: 'page', required: false, type: { nullable: false } })
  })

  it('describes bodies with their names, rules and nullability', () => {
    expect(named('RecordRequest')).toMatchObject({
      properties: {
        tip_tx_hash: { type: 'string', minLength: 1, maxLength: 255 },
        amount: { type: 'string', pattern: '^\\d+$' },
        callback_url: { type: ['string', 'null'], format: 'uri' },
        parts: {
          type: 'array',
          maxItems: 3,
          items: {
            properties: {
              part_name: { type: 'string', maxLength: 7 },
              weight: { default: 1, minimum: 1 },
              note: { type: ['string', 'null'] },
            },
          },
        },
      },
      required: ['tip_tx_hash', 'amount'],
      additionalProperties: false,
    })
    expect(named('RecordResponse')).toMatchObject({
      properties: { receipt_id: { format: 'uuid', description: 'Its id.' }, bundle_hash: { type: ['string', 'null'] } },
      required: ['receipt_id', 'status', 'bundle_hash'],
    })
    expect(named('ManyRequest')).toMatchObject({ type: 'array', items: { additionalProperties: false } })
  })

  it('describes defaults, enums, header fields and every error', () => {
    expect(at('paths', '/v1/page', 'get', 'parameters')).toMatchObject([
      { name: 'scope', required: false, schema: { enum: ['mine', 'all'], default: 'mine' } },
      { name: 'page', schema: { type: 'integer', default: 1 } },
      { name: 'tags', schema: { type: 'array' } },
    ])
    expect(named('Summary')).toMatchObject({ properties: { id: {} } })
    expect(named('MintResponse')).toMatchObject({ required: ['id'] })
    expect(named('OutcomeResponse')).toMatchObject({ anyOf: [{ required: ['ok'] }, { required: ['why'] }] })
    const responses = (path: string, method: string) => Object.keys(at('paths', path, method, 'responses') ?? {})
    expect(responses('/v1/record', 'post')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '422',
      '429',
      'default',
    ])
    expect(responses('/v1/outcome', 'get')).toEqual(['200', '401', '422', '429', 'default'])
    expect(at('paths', '/v1/outcome', 'get', 'security')).toEqual([])
    expect(at('paths', '/v1/mint', 'post', 'security')).toEqual([{}, { apiKey: [] }])
    expect(responses('/v1/receipts/{rid}', 'get')).toEqual(['200', '401', '404', '422', '429', 'default'])
    expect(at('paths', '/v1/record', 'post')).toMatchObject({
      operationId: 'postRecord',
      'x-sdk-method': 'record',
      summary: 'Record a payment',
      tags: ['receipts'],
      security: [{ apiKey: [] }],
    })
    expect(openapi).toMatchObject({ openapi: '3.1.0', info: { title: 'Test', version: '1.2.3' } })
  })

  it('describes a field’s value beyond its type', () => {
    expect(named('LoggedResponse')).toMatchObject({
      properties: {
        id: { type: 'string', pattern: '^[1-9][0-9]*$' },
        chain_id: { type: ['integer', 'null'] },
        url: { type: 'string', format: 'uri' },
      },
    })
    expect(at('components', 'schemas', 'LoggedResponse', 'properties', 'id', 'format')).toBeUndefined()
  })

  it('describes a file as bytes of its own types, or of any', () => {
    const file = at('paths', '/files/{rid}/{name}', 'get')
    expect(file).toMatchObject({
      parameters: [{}, {}, { name: 'If-None-Match', in: 'header' }, { name: 'Range', in: 'header' }],
      responses: {
        '200': {
          headers: { ETag: {}, 'Content-Disposition': {} },
          content: {
            'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
            'application/zip': { schema: { type: 'string', format: 'binary', contentMediaType: 'application/zip' } },
          },
        },
        '304': { headers: { ETag: {} } },
      },
    })
  })

  it('states where a code list is published, and in which formats a time is accepted', () => {
    expect(at('paths', '/v1/page', 'get', 'parameters', '2', 'schema')).toMatchObject({
      externalDocs: { url: expect.stringContaining('https://') },
      items: { type: 'string', pattern: expect.stringMatching(/^\^\[0-9\]\{4\}-/) },
    })
  })

  it('describes a section with the comment at the start of its file', () => {
    expect(at('tags')).toEqual([{ name: 'receipts', description: 'What was paid.' }])
  })

  it('describes omitted members as optional, never as nullable', () => {
    expect(route('Answers')?.rewrite).toEqual({ within: { asked: { sparse: true } } })
    expect(route('Premium')?.rewrite).toEqual({ sparse: true })
    expect(route('Receipt')?.rewrite).toBeNull()
    expect(named('AnswersResponse')).toMatchObject({
      anyOf: [
        {
          properties: {
            asked: { properties: { url: { type: 'string' }, hash: { type: 'string' } }, required: ['at'] },
          },
        },
        { properties: { why: { type: 'string' } }, required: ['asked', 'why'] },
      ],
    })
  })

  it('describes a paid route: payment, challenge, settlement receipt, and an optional API key', () => {
    const paid = at('paths', '/v1/premium', 'post')
    expect(paid).toMatchObject({
      security: [{}, { apiKey: [] }],
      parameters: [
        { $ref: '#/components/parameters/PaymentSignature' },
        { $ref: '#/components/parameters/IdempotencyKey' },
      ],
      responses: {
        '200': { headers: { 'PAYMENT-RESPONSE': {} } },
        '402': {
          headers: { 'PAYMENT-REQUIRED': {} },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
        },
        '500': { headers: { 'PAYMENT-RESPONSE': {}, 'Retry-After': {} } },
        '503': { headers: { 'Retry-After': {} } },
      },
    })
    expect(JSON.stringify(at('paths', '/v1/page'))).not.toContain('PAYMENT')
  })

  it('has a reference for every shared parameter and header, and the reverse', () => {
    for (const kind of ['parameters', 'headers']) {
      const used = [...JSON.stringify(openapi).matchAll(RegExp(`#/components/${kind}/(\\w+)`, 'g'))].map(
        ([, name]) => name,
      )
      expect([...new Set(used)].sort()).toEqual(Object.keys(at('components', kind) ?? {}).sort())
    }
  })

  it('has a reference for every named schema and a schema for every reference', () => {
    const used = [...JSON.stringify(openapi).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name)
    expect([...new Set(used)].sort()).toEqual(Object.keys(at('components', 'schemas') ?? {}).sort())
  })
})

describe('mistakes are reported with their position', () => {
  const cases: [why: string, document: string, expected: string[]][] = [
    ['an unknown field', get('A', '/a', 'nothing'), ['x.graphql:2:3 Cannot query field "nothing" on type "Query".']],
    ['text that is no GraphQL', 'query A @rest(', ['x.graphql:1:15 Syntax Error: Expected Name, found <EOF>.']],
    [
      'a method that does not exist',
      'query A @rest(method: PATCH, path: "/a") { ping }',
      ['x.graphql:1:23 Value "PATCH" does not exist in "RestMethod" enum. Did you mean the enum value "PUT"?'],
    ],
    ['no @rest', 'query A { ping }', ['x.graphql:1:1 A has no @rest.']],
    [
      'a tool under a name that models do not write',
      'query A @tool(name: "Look-Up", title: "A") { ping }',
      ['x.graphql:1:9 "Look-Up" is no name for a tool.'],
    ],
    [
      'two tools of one name',
      'query A @tool(name: "a", title: "A") { ping }\nquery B @tool(name: "a", title: "B") { url }',
      ['x.graphql:2:9 Another tool is named a.'],
    ],
    [
      'a tool that answers with a file',
      'query A @rest(method: GET, path: "/a", answer: TEXT) @tool(name: "a", title: "A") { ping }',
      ['x.graphql:1:54 A tool answers with JSON.'],
    ],
    [
      'a tool whose arguments have no names',
      'mutation A($parts: [PartInput!]! @body) @rest(method: POST, path: "/a") @tool(name: "a", title: "A") { many(parts: $parts) { id } }',
      ['x.graphql:1:73 The arguments of a tool have names: it takes no @body.'],
    ],
    [
      'a paid tool without an example',
      'query A @tool(name: "a", title: "A") { premium { url } }',
      ['x.graphql:1:9 A paid tool needs example and answer.'],
    ],
    [
      'no name',
      'query @rest(method: GET, path: "/a") { ping }',
      ['x.graphql:1:1 A route is a named operation; its name is the operationId.'],
    ],
    [
      'several root fields',
      get('A', '/a', 'ping\n  url'),
      ['x.graphql:3:3 A route has exactly one root field: its value is the answer.'],
    ],
    [
      'a fragment as the root',
      `${get('A', '/a', '...F')}fragment F on Query { ping }`,
      ['x.graphql:2:3 The root of a route is a field, not a fragment.'],
    ],
    [
      'an unused fragment',
      `${get('A', '/a', 'ping')}fragment F on Query { ping }`,
      ['x.graphql:4:1 Fragment "F" is never used.'],
    ],
    [
      'an unused variable',
      get('A', '/a', 'ping', '($x: Int)'),
      ['x.graphql:1:9 Variable "$x" is never used in operation "A".'],
    ],
    [
      'a path variable that nothing feeds',
      get('A', '/a/{rid}', 'ping'),
      ['x.graphql:1:38 No variable feeds {rid}: declare $rid.'],
    ],
    [
      'a path segment that is half a variable',
      get('A', '/a/x{rid}', 'ping'),
      ['x.graphql:1:38 "x{rid}" is neither plain path text nor a variable in braces.'],
    ],
    ['a relative path', get('A', 'a', 'ping'), ['x.graphql:1:34 A path starts with "/".']],
    [
      'a GET that changes something',
      'mutation A @rest(method: GET, path: "/a") { mint { id } }',
      ['x.graphql:1:26 A GET changes nothing, so it cannot be a mutation.'],
    ],
    [
      'a stream that is no GET',
      'subscription A($id: ID!) @rest(method: POST, path: "/a") { changes(id: $id) { id } }',
      ['x.graphql:1:40 A subscription is a stream of events, which is a GET.'],
    ],
    [
      'a body on a GET',
      'query A($x: LoopInput) @rest(method: GET, path: "/a") { loop(input: $x) }',
      ['x.graphql:1:9 LoopInput contains itself, which no request can write.'],
    ],
    [
      '@body on a GET',
      get('A', '/a', 'receipt(id: $x) { id }', '($x: ID! @body)'),
      ['x.graphql:1:9 A GET has no body.'],
    ],
    [
      'a named body on a GET',
      'query A @rest(method: GET, path: "/a", request: "B") { ping }',
      ['x.graphql:1:49 A GET has no body to name.'],
    ],
    [
      'a path variable that may be absent',
      get('A', '/a/{x}', 'page(scope: $x) { total }', '($x: Scope)'),
      ['x.graphql:1:9 $x is in the path, so it is always given: its type ends with "!" and has no default.'],
    ],
    [
      'a required variable for an argument with a default',
      get('A', '/a', 'page(page: $x) { total }', '($x: Int!)'),
      ['x.graphql:1:9 The argument has a default (1), so $x must not be required.'],
    ],
    [
      'another default than the argument has',
      get('A', '/a', 'page(page: $x) { total }', '($x: Int = 2)'),
      ["x.graphql:1:19 The argument's own default is 1; $x must not have another."],
    ],
    [
      'a file without its bytes',
      'query A($i: ID!, $n: String!) @rest(method: GET, path: "/a", answer: FILE) { file(id: $i, name: $n) { name sha256 } }',
      ['x.graphql:1:70 A file needs these fields, without aliases: mediaType, content.'],
    ],
    [
      'text that is an object',
      'query A($i: ID!) @rest(method: GET, path: "/a", answer: TEXT) { receipt(id: $i) { id } }',
      ['x.graphql:1:57 TEXT is for a root field that is a scalar.'],
    ],
    [
      'an event id outside a stream',
      get('A', '/a', 'list { id @eventId }'),
      ['x.graphql:2:13 @eventId is for a scalar of the object that a subscription answers with.'],
    ],
    [
      'a header from within a list',
      get('A', '/a', 'list { id @header(name: "X") }'),
      [
        'x.graphql:2:27 @header is for a scalar, or a list of scalars, of the one object that a JSON route answers with.',
      ],
    ],
    [
      'an answer that depends on a variable',
      get('A', '/a', 'list { id @include(if: $x) }', '($x: Boolean!)'),
      ['x.graphql:2:13 The answer of a route is always the same; @include has no place in it.'],
    ],
    [
      'two fields of one wire name',
      get('A', '/a', 'list { createdAt created_at: status }'),
      [
        'x.graphql:2:10 Fields "created_at" conflict because "createdAt" and "status" are different fields. Use different aliases on the fields to fetch both if this was intentional.',
      ],
    ],
    [
      'members left out of what has none',
      get('A', '/a', 'list { id @sparse }'),
      ['x.graphql:2:13 @sparse is for an object, and id is none.'],
    ],
    [
      'members left out of an event',
      'subscription A($i: ID!) @rest(method: GET, path: "/a") { changes(id: $i) @sparse { id } }',
      ['x.graphql:1:74 @sparse is for a route that answers with JSON.'],
    ],
    [
      'members left out of one variant and not of the other',
      get('A', '/a', 'answers { ... on Found { asked { url } } ... on Lost { asked @sparse { url } } }'),
      ['x.graphql:2:64 Only one variant of asked has @sparse.'],
    ],
    [
      'a schema name of ours',
      'query A @rest(method: GET, path: "/a", response: "ErrorResponse") { list { id } }',
      ['x.graphql:1:50 The schema name ErrorResponse is reserved.'],
    ],
    [
      'an older name of what is no scalar',
      get('A', '/a', 'page { items @olderName(name: "things") { id } }'),
      ['x.graphql:2:16 @olderName is for a scalar of the body, and items is none.'],
    ],
    [
      'an older name of what leaves in a header',
      'mutation A @rest(method: POST, path: "/a") { mint { id secret @header(name: "X") @olderName(name: "key") } }',
      [
        'x.graphql:1:64 @header is for a scalar of the one object that a JSON route answers with.',
        'x.graphql:1:82 @olderName is for a scalar of the body, and secret is none.',
      ].slice(1),
    ],
    [
      'an older name of the root',
      get('A', '/a', 'ping @olderName(name: "pong")'),
      ['x.graphql:2:3 @olderName is for a scalar within the answer, not for the root field.'],
    ],
    [
      'an older name that another field has',
      get('A', '/a', 'list { id @olderName(name: "status") status }'),
      [
        'x.graphql:2:10 Fields "status" conflict because "id" and "status" are different fields. Use different aliases on the fields to fetch both if this was intentional.',
      ],
    ],
    [
      'an older name that another variable has',
      `mutation A($a: String! @olderName(name: "b"), $b: Decimal!) @rest(method: POST, path: "/a") { record(input: { tipTxHash: $a, amount: $b }) { id } }`,
      ['x.graphql:1:12 Another variable has the name b.'],
    ],
    [
      'an older name in the query',
      get('A', '/a', 'receipt(id: $x) { id }', '($x: ID! @olderName(name: "y"))'),
      ['x.graphql:1:9 @olderName is for a variable that is a member of the body.'],
    ],
    [
      'a status that is none',
      'query A @rest(method: GET, path: "/a", status: 404) { ping }',
      ['x.graphql:1:48 The status of an answer is 200 to 299.'],
    ],
  ]
  it.each(cases)('%s', (_, document, expected) => {
    expect(mistakes(schema, { x: document })).toEqual(expected)
  })

  it('two operations on one method and path, also with other parameter names and in other files', () => {
    const one = get('A', '/a/{x}', 'receipt(id: $x) { id }', '($x: ID!)')
    const two = get('B', '/a/{y}', 'receipt(id: $y) { id }', '($y: ID!)')
    expect(mistakes(schema, { x: one, y: two })).toEqual([
      expect.stringMatching(/^y\.graphql:1:43 GET \/a\/\{y\} is already A \(.*x\.graphql:1:1\)\.$/),
    ])
  })

  it('one path with two spellings', () => {
    const one = get('A', '/a/{x}', 'receipt(id: $x) { id }', '($x: ID!)')
    const two = 'mutation B($y: String!) @rest(method: PUT, path: "/a/{y}") { mint(label: $y) { id } }'
    expect(mistakes(schema, { x: one, y: two })).toEqual([
      expect.stringMatching(/^y\.graphql:1:50 A \(.*\) writes this path \/a\/\{x\}; use the same names\.$/),
    ])
  })

  it('one schema name for two shapes', () => {
    const one = 'query A @rest(method: GET, path: "/a", response: "R") { list { id } }'
    const two = 'query B @rest(method: GET, path: "/b", response: "R") { list { status } }'
    expect(mistakes(schema, { x: `${one}\n${two}` })).toEqual(['x.graphql:2:50 R already names another shape.'])
  })

  it('all at once, over all files, in order', () => {
    const found = mistakes(schema, {
      x: `${get('A', '/a', 'ping')}${get('A', 'b', 'nothing')}`,
      y: get('C', '/a', 'ping'),
      z: '{',
    })
    expect(found.map(line => line.split(' ')[0])).toEqual(
      [
        'x.graphql:4:7',
        'x.graphql:1:7',
        'x.graphql:4:7',
        'x.graphql:4:34',
        'x.graphql:5:3',
        'y.graphql:1:34',
        'z.graphql:1:2',
      ].slice(1),
    )
  })
})
