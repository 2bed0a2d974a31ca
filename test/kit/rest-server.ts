// A small service behind the REST API, on its own port, with every kind of answer and every kind of error.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { buildSchema, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql'
import { z } from 'zod'
import { AppError, invalid } from '../../src/core/errors.ts'
import type { Access } from '../../src/core/principal.ts'
import type { Context } from '../../src/kit/context.ts'
import { parse } from '../../src/kit/parse.ts'
import { requestIdOf } from '../../src/rest/request-id.ts'
import { restRouter } from '../../src/rest/router.ts'
import { generated } from './rest-documents.ts'
import { declareRootFields } from './root-fields.ts'

const sdl = `
  scalar Decimal
  scalar JSON
  enum Scope { mine all }
  input RecordInput { tipTxHash: String!, amount: Decimal!, parts: [PartInput!], extra: JSON, count: Int, flag: Boolean }
  input PartInput { partName: String! }
  type Receipt { id: ID!, bundleHash: String }
  type Seen { scope: Scope!, page: Int!, tags: [String!], live: Boolean, label: String }
  type File { name: String!, mediaType: String!, sha256: String!, content: String! }
  type Key { id: ID!, secret: String }
  type Event { id: ID!, status: String! }
  type Query {
    ping: String!
    url: String
    receipt(id: ID!): Receipt
    seen(scope: Scope! = mine, page: Int! = 1, tags: [String!], live: Boolean, label: String): Seen!
    file(name: String!): File
    fail(how: String!): String!
  }
  type Mutation { record(input: RecordInput!): Receipt!, mint: Key!, echo(value: JSON!): JSON!, optional(note: String): String!, secret: String! }
  type Subscription { events(id: ID!, after: ID): Event! }
`

const documents = `
query Ping @rest(method: GET, path: "/v1/ping", answer: TEXT) { ping }
query Go @rest(method: GET, path: "/go", answer: REDIRECT) { url }
query Receipt($rid: ID!) @rest(method: GET, path: "/v1/receipts/{rid}") { receipt(id: $rid) { id bundleHash } }
mutation Record($tip_tx_hash: String!, $amount: Decimal!, $parts: [PartInput!], $extra: JSON, $count: Int, $flag: Boolean)
@rest(method: POST, path: "/v1/receipts") {
  record(input: { tipTxHash: $tip_tx_hash, amount: $amount, parts: $parts, extra: $extra, count: $count, flag: $flag }) { receipt_id: id }
}
query Seen($scope: Scope, $page: Int, $tags: [String!], $live: Boolean, $label: String @header(name: "X-Label"))
@rest(method: GET, path: "/v1/seen") { seen(scope: $scope, page: $page, tags: $tags, live: $live, label: $label) { scope page tags live label } }
query File($name: String!) @rest(method: GET, path: "/files/{name}", answer: FILE) { file(name: $name) { name mediaType sha256 content } }
query Fail($how: String!) @rest(method: GET, path: "/v1/fail/{how}") { fail(how: $how) }
mutation Mint @rest(method: POST, path: "/v1/keys", status: 201) { mint { id secret @header(name: "X-API-Key") } }
mutation Echo($value: JSON! @body) @rest(method: PUT, path: "/v1/echo") { echo(value: $value) }
mutation Optional($note: String) @rest(method: POST, path: "/v1/optional") { optional(note: $note) }
mutation Secret @rest(method: POST, path: "/v1/secret") { secret }
subscription Events($rid: ID!, $last_event_id: ID @header(name: "Last-Event-ID"))
@rest(method: GET, path: "/v1/events/{rid}") { events(id: $rid, after: $last_event_id) { id @eventId status } }
`

export const receiptId = '11111111-2222-4333-8444-555555555555'
const byId = z.strictObject({ id: z.guid('Must be a UUID.').meta({ format: 'uuid' }) })
const recordRules = z.strictObject({
  input: z.strictObject({
    tipTxHash: z.string().min(3, 'At least 3 characters.'),
    amount: z.string().regex(/^[1-9]\d*$/, 'Not an amount.'),
    parts: z.array(z.strictObject({ partName: z.string().max(4, 'At most 4 characters.') })).nullish(),
    extra: z.unknown().optional(),
    count: z.int().nullish(),
    flag: z.boolean().nullish(),
  }),
})

type Source = AsyncGenerator<{ id: string; status: string }>
/** The events of each id's stream; set by tests. */
export type Streams = Record<string, (after: string | null) => Source>

const failures: Record<string, () => unknown> = {
  conflict: () => new AppError('conflict', 'Not now.'),
  busy: () => new AppError('too_many_requests', undefined, { retryAfterSeconds: 7 }),
  down: () => new AppError('chain_unavailable'),
  bug: () => new TypeError('secret detail'),
  wrapped: () => new Error('outer', { cause: new Error('inner', { cause: new AppError('forbidden') }) }),
  invalid: () =>
    invalid([
      { path: ['how'], message: 'Bad.', type: 'value_error' },
      { path: ['input', 'fooBar', 0], message: 'Odd.', type: 'odd' },
    ]),
  bare: () => new AppError('validation_failed', 'All of it is wrong.'),
  anonymous: () => new AppError('unauthenticated'),
}

type Resolver = GraphQLFieldResolver<unknown, { callers: string }>

function schemaWith(streams: Streams): GraphQLSchema {
  const schema = buildSchema(sdl)
  const field = (type: 'Query' | 'Mutation', name: string, resolve: Resolver, extensions: object = {}) => {
    const found = (type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[name]
    if (found) Object.assign(found, { resolve, extensions })
  }
  field('Query', 'ping', () => 'pong')
  field('Query', 'url', () => 'http://elsewhere.test/a?b=ü')
  field(
    'Query',
    'receipt',
    (_, args) => (parse(byId, args).id === receiptId ? { id: receiptId, bundleHash: null } : null),
    { input: byId },
  )
  field('Query', 'seen', (_, args) => args)
  field('Query', 'file', (_, { name }) =>
    name === 'none'
      ? null
      : { name, mediaType: 'application/xml', sha256: '0xabc', content: Buffer.from('<bytes/>').toString('base64') },
  )
  field('Query', 'fail', (_, { how }) => {
    throw failures[how]?.() ?? new AppError('not_found')
  })
  field('Mutation', 'record', (_, args) => ({ id: parse(recordRules, args).input.tipTxHash }), { input: recordRules })
  field('Mutation', 'mint', () => ({ id: receiptId, secret: 'raw-key' }))
  field('Mutation', 'echo', (_, { value }) => value)
  field('Mutation', 'optional', (_, { note }) => note ?? 'nothing')
  field('Mutation', 'secret', () => 'kept', { access: 'admin' satisfies Access })
  const events = schema.getSubscriptionType()?.getFields().events
  if (events) {
    events.subscribe = (_, { id, after }) => streams[id]?.(after ?? null) ?? Promise.reject(new AppError('not_found'))
    events.resolve = event => event
  }
  return declareRootFields(schema)
}

export type TestServer = AsyncDisposable & { url: string; logged: { details: object; message: string }[] }

export async function serve(streams: Streams = {}, stream: { heartbeatMs?: number } = {}): Promise<TestServer> {
  const schema = schemaWith(streams)
  const logged: TestServer['logged'] = []
  const app = express()
  app.use((req, res, next) => {
    requestIdOf(req, res)
    next()
  })
  app.use(
    restRouter({
      schema,
      routes: generated(schema, { all: documents }).routes,
      context: req => {
        if (req.headers['x-api-key'] === 'revoked') throw new AppError('unauthenticated')
        return { callers: 'own' } as object as Context
      },
      admit: (_, access) => {
        if (access !== 'public') throw new AppError('unauthenticated')
      },
      log: { error: (details, message) => logged.push({ details, message }) },
      stream: { retryMs: 10, ...stream },
    }),
  )
  const server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    logged,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
