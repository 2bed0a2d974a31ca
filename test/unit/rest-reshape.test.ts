// Responses whose shape differs from that of the operation's result: flattened members, constants, and pages.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { Context } from '../../src/kit/context.ts'
import { offsetIn } from '../../src/kit/offset-cursor.ts'
import { restRouter } from '../../src/rest/router.ts'
import { generated, mistakes } from '../kit/rest-documents.ts'
import { declareRootFields } from '../kit/root-fields.ts'

const schema = declareRootFields(
  buildSchema(`
    type Thing { id: ID!, "Its name." name: String!, owner: Owner, secret: String, parts: [Part!]! }
    type Owner { wallet: String!, "Its age." age: Int }
    type Part { number: Int! }
    type Things { "What there is." nodes: [Thing!]!, totalCount: Int! }
    type Made { thing: Thing!, matchedBy: String }
    type Query { thing(id: ID!): Thing, things(color: String, first: Int, after: String): Things! }
    type Mutation { make(name: String!): Made! }
  `),
)

const documents = `
query Ping @rest(method: GET, path: "/ping", answer: TEXT) { __typename @constant(value: "pong") }
query Thing($id: ID!) @rest(method: GET, path: "/things/{id}", response: "Thing") {
  thing(id: $id) { status: __typename @constant(value: "ok") id owner @flatten { owner_wallet: wallet age } name }
}
query Secret($id: ID!) @rest(method: GET, path: "/things/{id}/secret", access: read) { thing(id: $id) { secret } }
query Parts($id: ID!) @rest(method: GET, path: "/things/{id}/parts", response: "Part") { thing(id: $id) { parts @flatten { number } } }
mutation Make($name: String!) @rest(method: POST, path: "/things", response: "Made") {
  make(name: $name) { thing @flatten { thing_id: id name } matchedBy @header(name: "Matched-By") }
}
query Page($color: String, "Page number." $page: Int = 1, $page_size: Int = 20) @rest(method: GET, path: "/pages", response: "Page") {
  things(color: $color) @page(number: $page, size: $page_size) {
    items: nodes @schema(name: "Item") { id }
    total: totalCount @described(as: "Things on all pages.")
    page: __typename @echo(variable: "page") @described(as: "Page number.")
  }
}
query List($limit: Int = 50, $offset: Int = 0) @rest(method: GET, path: "/list", response: "Item") {
  things @page(offset: $offset, size: $limit) { nodes @flatten { id } }
}
`

const { routes, openapi } = generated(schema, { all: documents })
const asked: { color?: string; first?: number; after?: string }[] = []
const [thing, orphan] = [
  { id: '1', name: 'One', owner: { wallet: '0x1', age: null }, parts: [{ number: 1 }, { number: 2 }] },
  { id: '2', name: 'Two', owner: null, parts: [] },
]
const resolvers = {
  Query: {
    thing: (_: unknown, { id }: { id: string }) => [thing, orphan].find(one => one.id === id) ?? null,
    things: (_: unknown, args: (typeof asked)[number]) => {
      asked.push(args)
      return { nodes: [thing, orphan], totalCount: 2 }
    },
  },
  Mutation: { make: (_: unknown, { name }: { name: string }) => ({ thing: { ...thing, name }, matchedBy: 'name' }) },
}
for (const [type, fields] of Object.entries(resolvers)) {
  const found = type === 'Query' ? schema.getQueryType() : schema.getMutationType()
  for (const [name, resolve] of Object.entries(fields)) Object.assign(found?.getFields()[name] ?? {}, { resolve })
}
const secret = schema.getType('Thing')
if (secret && 'getFields' in secret)
  Object.assign(secret.getFields().secret ?? {}, {
    resolve: () => {
      throw new AppError('forbidden')
    },
  })

let url = ''
const server = createServer(
  express().use(restRouter({ schema, routes, context: () => ({}) as Context, log: { error: () => undefined } })),
)
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const get = async (path: string) => (await fetch(`${url}${path}`)).text()
const at = (...path: string[]): unknown =>
  path.reduce<unknown>((value, key) => (typeof value === 'object' && value ? Reflect.get(value, key) : null), openapi)

describe('a response', () => {
  it('is a constant without any field', async () => {
    expect(await get('/ping')).toBe('pong')
  })

  it('has the members of a flattened object in its place, null where the object is', async () => {
    expect(await get('/things/1')).toBe('{"status":"ok","id":"1","owner_wallet":"0x1","age":null,"name":"One"}')
    expect(await get('/things/2')).toBe('{"status":"ok","id":"2","owner_wallet":null,"age":null,"name":"Two"}')
    expect(at('components', 'schemas', 'Thing')).toEqual({
      type: 'object',
      properties: {
        status: { type: 'string' },
        id: { type: 'string', format: 'uuid' },
        owner_wallet: { type: ['string', 'null'] },
        age: { type: ['integer', 'null'], description: 'Its age.' },
        name: { type: 'string', description: 'Its name.' },
      },
      required: ['status', 'id', 'owner_wallet', 'age', 'name'],
    })
  })

  it('has the flattened members of a payload in the body, and a header beside them', async () => {
    const response = await fetch(`${url}/things`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"New"}',
    })
    expect(response.headers.get('matched-by')).toBe('name')
    expect(await response.text()).toBe('{"thing_id":"1","name":"New"}')
  })

  it('is a flattened list, and 404 where the object around it is null', async () => {
    expect(await get('/things/1/parts')).toBe('[{"number":1},{"number":2}]')
    expect((await fetch(`${url}/things/3/parts`)).status).toBe(404)
    expect(
      at('paths', '/things/{id}/parts', 'get', 'responses', '200', 'content', 'application/json', 'schema'),
    ).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Part' } })
  })

  it('hides what a caller of a route with an access of its own may not read', async () => {
    expect((await fetch(`${url}/things/1/secret`)).status).toBe(404)
  })
})

describe('a page of a connection', () => {
  const lastAsked = () => {
    const { after, ...args } = asked.at(-1) ?? {}
    return { ...args, skipped: after === undefined ? 0 : offsetIn(after) }
  }

  it('is asked for by number and size, which have defaults', async () => {
    expect(await get('/pages?color=red')).toBe('{"items":[{"id":"1"},{"id":"2"}],"total":2,"page":1}')
    expect(lastAsked()).toEqual({ color: 'red', first: 20, skipped: 0 })
    expect(await get('/pages?page=3&page_size=7')).toContain('"page":3')
    expect(lastAsked()).toEqual({ first: 7, skipped: 14 })
  })

  it('is asked for by offset', async () => {
    expect(await get('/list?offset=9&limit=5')).toBe('[{"id":"1"},{"id":"2"}]')
    expect(lastAsked()).toEqual({ first: 5, skipped: 9 })
  })

  it('states every fault of its parameters', async () => {
    const faults = JSON.parse(await get('/pages?page=0&page_size=201&color=a&color=b')).detail
    expect(faults.map(({ loc }: { loc: string[] }) => loc.join('.')).sort()).toEqual([
      'query.color',
      'query.page',
      'query.page_size',
    ])
  })

  it('is described with its rules', () => {
    expect(at('paths', '/pages', 'get', 'parameters')).toMatchObject([
      { name: 'color' },
      {
        name: 'page',
        description: 'Page number.',
        schema: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
      },
      { name: 'page_size', schema: { type: 'integer', minimum: 1, maximum: 200, default: 20 } },
    ])
    expect(at('components', 'schemas', 'Page', 'properties')).toMatchObject({
      items: { description: 'What there is.' },
      total: { description: 'Things on all pages.' },
      page: { type: 'integer', description: 'Page number.' },
    })
  })
})

describe('a mistake is reported where', () => {
  const of = (selection: string) =>
    mistakes(schema, { x: `query A($id: ID!) @rest(method: GET, path: "/a/{id}") { ${selection} }` })

  it.each([
    ['a scalar is flattened', 'thing(id: $id) { id @flatten }', '@flatten is for an object or a list'],
    ['a flattened list is not alone', 'thing(id: $id) { id parts @flatten { number } }', 'is the only member'],
  ])('%s', (_, selection, message) => {
    expect(of(selection)).toEqual([expect.stringContaining(message)])
  })

  it('a page has no default', () => {
    const text =
      'query A($n: Int, $s: Int = 9) @rest(method: GET, path: "/a") { things @page(number: $n, size: $s) { totalCount } }'
    expect(mistakes(schema, { x: text })).toEqual([expect.stringContaining('$n needs a default.')])
  })
})
