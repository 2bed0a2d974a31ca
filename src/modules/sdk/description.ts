// Reduces the OpenAPI document and the operations over GraphQL to what the clients are generated from: operations and
// named schemas.
import { z } from 'zod'

const jsonSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  deprecated: z.boolean().optional(),
  enum: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  required: z.array(z.string()).optional(),
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof jsonSchema>> {
    return z.record(z.string(), jsonSchema).optional()
  },
  get items(): z.ZodOptional<typeof jsonSchema> {
    return jsonSchema.optional()
  },
  get anyOf(): z.ZodOptional<z.ZodArray<typeof jsonSchema>> {
    return z.array(jsonSchema).optional()
  },
  get allOf(): z.ZodOptional<z.ZodArray<typeof jsonSchema>> {
    return z.array(jsonSchema).optional()
  },
  get oneOf(): z.ZodOptional<z.ZodArray<typeof jsonSchema>> {
    return z.array(jsonSchema).optional()
  },
})

export type Schema = z.output<typeof jsonSchema>

const parameter = z.union([
  z.object({ $ref: z.string() }),
  z.object({
    name: z.string(),
    in: z.enum(['path', 'query', 'header']),
    required: z.boolean().default(false),
    description: z.string().optional(),
    schema: jsonSchema,
  }),
])
const contents = z.record(z.string(), z.object({ schema: jsonSchema.optional() }))
const operation = z.object({
  operationId: z.string(),
  'x-sdk-method': z.string().optional(),
  summary: z.string().default(''),
  deprecated: z.boolean().default(false),
  tags: z.tuple([z.string()]),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ required: z.boolean().default(false), content: contents }).optional(),
  responses: z.record(z.string(), z.object({ content: contents.default({}) })),
})

const openapi = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), jsonSchema) }),
})

const bodies = openapi.pick({ components: true })

/** The operations without a REST route, made from `sdk/operations.graphql`. */
const graphqlOperations = z.object({
  operations: z.array(
    z.object({
      name: z.string(),
      family: z.string(),
      summary: z.string(),
      isWrite: z.boolean(),
      document: z.string(),
      /** Names of the fields that lead to the answer. */
      path: z.array(z.string()),
      /** Variables that are arguments of the method. */
      ids: z.array(z.string()),
      /** The other variables, as an object. */
      variables: jsonSchema,
      answer: jsonSchema,
    }),
  ),
  schemas: z.record(z.string(), jsonSchema),
})

export type GraphqlOperations = z.input<typeof graphqlOperations>

type Answer = { kind: 'json'; type: string } | { kind: 'text' | 'file' | 'events' | 'url' }

export type Operation = {
  name: string
  /** Section (tag) of the operation in the document. */
  family: string
  method: string
  path: string
  summary: string
  deprecated: boolean
  /** Names of the variables of the path, in its order. */
  inPath: string[]
  /** Name of the schema of the query or body. */
  query: { type: string; required: boolean } | null
  body: { type: string; required: boolean } | null
  answer: Answer
  needsKey: boolean
  isPaid: boolean
  /** Null for an operation of REST. */
  graphql: { document: string; path: string[]; isWrite: boolean } | null
  /** How the method for a page becomes one for all entries; null for what is no list of pages. */
  paging: Paging | null
}

/** `item`: the schema of an entry. `page` counts pages from 1, `offset` entries, and `cursor` follows `next`. */
type Paging = { by: 'page' | 'offset' | 'cursor'; item: string }

export type Description = { operations: Operation[]; schemas: Map<string, Schema> }

export const upperFirst = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
/** The one place that decides how a method is called: an operation may be renamed, and its method not. */
const methodName = (one: { operationId: string; 'x-sdk-method'?: string | undefined }) =>
  one['x-sdk-method'] ?? one.operationId
export const refName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/**
 * Parses the document. `webhooks`: the document of the webhooks, whose bodies are types of the clients too. Throws if
 * they contain something for which no client can be generated.
 */
export function describe(document: unknown, webhooks: unknown, overGraphql: unknown): Description {
  const { paths, components } = openapi.parse(document)
  const sent = bodies.parse(webhooks).components.schemas
  const beside = graphqlOperations.parse(overGraphql)
  const schemas = new Map(Object.entries({ ...components.schemas, ...sent }).sort(([a], [b]) => (a < b ? -1 : 1)))
  for (const [name, schema] of Object.entries(beside.schemas)) named(schema, name)

  /** Returns a schema's name; a schema without a name in the document is added under `name`. */
  function named(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return refName(schema.$ref)
    if (schemas.has(name)) throw new Error(`the schema name ${name} is already used`)
    schemas.set(name, schema)
    return name
  }

  function queryOf(one: z.output<typeof operation>): Operation['query'] {
    const { parameters } = one
    const inQuery = parameters.filter(one => 'in' in one && one.in === 'query').filter(one => 'in' in one)
    if (inQuery.length === 0) return null
    const members = inQuery.map(({ name, schema, description }) => [name, { ...schema, description }])
    const required = inQuery.filter(one => one.required).map(one => one.name)
    const type = named(
      { type: 'object', properties: Object.fromEntries(members), required },
      `${upperFirst(methodName(one))}Query`,
    )
    return { type, required: required.length > 0 }
  }

  function answerOf(one: z.output<typeof operation>): Answer {
    const { operationId, responses } = one
    const found = Object.entries(responses).find(([status]) => /^[23]/.test(status))
    const content = found?.[1].content ?? {}
    const schema = content['application/json']?.schema
    if (found?.[0].startsWith('3')) return { kind: 'url' }
    if (schema) return { kind: 'json', type: named(schema, `${upperFirst(methodName(one))}Answer`) }
    const event = content['text/event-stream']?.schema
    if (event) {
      // The handwritten code knows when a stream of ReceiptEvent ends, and supports no other stream.
      if (event.$ref === undefined || refName(event.$ref) !== 'ReceiptEvent')
        throw new Error(`${operationId} streams something else than ReceiptEvent`)
      return { kind: 'events' }
    }
    return { kind: 'text/plain' in content ? 'text' : 'file' }
  }

  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): Operation => {
      const query = queryOf(one)
      const answer = answerOf(one)
      const body = one.requestBody?.content['application/json']?.schema
      return {
        name: methodName(one),
        family: one.tags[0],
        method: method.toUpperCase(),
        path,
        summary: one.summary,
        deprecated: one.deprecated,
        inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        query,
        body: body
          ? {
              type: named(body, `${upperFirst(methodName(one))}Body`),
              required: one.requestBody?.required === true,
            }
          : null,
        answer,
        needsKey: one.security.length > 0 && one.security.every(way => 'apiKey' in way),
        isPaid: one.parameters.some(known => '$ref' in known && refName(known.$ref) === 'PaymentSignature'),
        graphql: null,
        paging: pagingOf(query, answer),
      }
    }),
  )
  const others = beside.operations.map(({ name, family, summary, isWrite, document, path, ids, variables, answer }) => {
    const hasVariables = Object.keys(variables.properties ?? {}).length > 0
    const type = hasVariables ? named(variables, `${upperFirst(name)}${isWrite ? 'Body' : 'Query'}`) : null
    const variablesType = type === null ? null : { type, required: (variables.required ?? []).length > 0 }
    const answered: Answer = { kind: 'json', type: named(answer, `${upperFirst(name)}Answer`) }
    return {
      name,
      family,
      method: isWrite ? 'mutation' : 'query',
      path: path[0] ?? '',
      summary,
      deprecated: false,
      inPath: ids,
      query: isWrite ? null : variablesType,
      body: isWrite ? variablesType : null,
      answer: answered,
      needsKey: true,
      isPaid: false,
      graphql: { document, path, isWrite },
      paging: pagingOf(isWrite ? null : variablesType, answered),
    }
  })
  return { operations: [...operations, ...others], schemas }

  function pagingOf(query: Operation['query'], answer: Answer): Paging | null {
    if (query === null || answer.kind !== 'json') return null
    const queryMembers = schemas.get(query.type)?.properties ?? {}
    const shape = schemas.get(answer.type)
    const ref = (shape?.properties?.items ?? shape)?.items?.$ref
    if (ref === undefined) return null
    const item = refName(ref)
    if ('page' in queryMembers && 'page_size' in queryMembers) return { by: 'page', item }
    if ('offset' in queryMembers && 'limit' in queryMembers) return { by: 'offset', item }
    return 'after' in queryMembers && 'limit' in queryMembers ? { by: 'cursor', item } : null
  }
}
