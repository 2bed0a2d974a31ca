// Reduces the OpenAPI document to what the clients are generated from: operations and named schemas.
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
const operation = z
  .object({
    operationId: z.string(),
    /** The name of the method, where the operation id has another. */
    'x-sdk-method': z.string().optional(),
    summary: z.string().default(''),
    deprecated: z.boolean().default(false),
    tags: z.tuple([z.string()]),
    security: z.array(z.record(z.string(), z.unknown())),
    parameters: z.array(parameter).default([]),
    requestBody: z.object({ required: z.boolean().default(false), content: contents }).optional(),
    responses: z.record(z.string(), z.object({ content: contents.default({}) })),
  })
  .transform(({ 'x-sdk-method': method, ...described }) => ({
    ...described,
    operationId: method ?? described.operationId,
  }))

const openapi = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), jsonSchema) }),
})

const bodies = openapi.pick({ components: true })

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
}

export type Description = { operations: Operation[]; schemas: Map<string, Schema> }

const upperFirst = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
export const refName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** Parses the document. Throws if it contains something for which no client can be generated. */
/** `webhooks`: the document of the webhooks, whose bodies are types of the clients too. */
export function describe(document: unknown, webhooks: unknown): Description {
  const { paths, components } = openapi.parse(document)
  const sent = bodies.parse(webhooks).components.schemas
  const schemas = new Map(Object.entries({ ...components.schemas, ...sent }).sort(([a], [b]) => (a < b ? -1 : 1)))

  /** Returns a schema's name; a schema without a name in the document is added under `name`. */
  function named(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return refName(schema.$ref)
    if (schemas.has(name)) throw new Error(`the schema name ${name} is already used`)
    schemas.set(name, schema)
    return name
  }

  function queryOf({ operationId, parameters }: z.output<typeof operation>): Operation['query'] {
    const inQuery = parameters.filter(one => 'in' in one && one.in === 'query').filter(one => 'in' in one)
    if (inQuery.length === 0) return null
    const members = inQuery.map(({ name, schema, description }) => [name, { ...schema, description }])
    const required = inQuery.filter(one => one.required).map(one => one.name)
    const type = named(
      { type: 'object', properties: Object.fromEntries(members), required },
      `${upperFirst(operationId)}Query`,
    )
    return { type, required: required.length > 0 }
  }

  function answerOf({ operationId, responses }: z.output<typeof operation>): Answer {
    const found = Object.entries(responses).find(([status]) => /^[23]/.test(status))
    const content = found?.[1].content ?? {}
    const schema = content['application/json']?.schema
    if (found?.[0].startsWith('3')) return { kind: 'url' }
    if (schema) return { kind: 'json', type: named(schema, `${upperFirst(operationId)}Answer`) }
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
      const body = one.requestBody?.content['application/json']?.schema
      return {
        name: one.operationId,
        family: one.tags[0],
        method: method.toUpperCase(),
        path,
        summary: one.summary,
        deprecated: one.deprecated,
        inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        query: queryOf(one),
        body: body
          ? {
              type: named(body, `${upperFirst(one.operationId)}Body`),
              required: one.requestBody?.required === true,
            }
          : null,
        answer: answerOf(one),
        needsKey: one.security.length > 0 && one.security.every(way => 'apiKey' in way),
        isPaid: one.parameters.some(known => '$ref' in known && refName(known.$ref) === 'PaymentSignature'),
      }
    }),
  )
  return { operations, schemas }
}
