// The OpenAPI schemas of responses, and the registry of named schemas, where two shapes with one name are a mistake.
import type { ASTNode } from 'graphql'
import { type JsonSchema, schemaOf } from '../scalars.ts'
import { nameArgument } from './annotation.ts'
import { errorSchemas } from './error-shapes.ts'
import type { Report } from './mistakes.ts'
import { paymentSchemas } from './payment.ts'
import type { Member, Shape } from './shape-type.ts'

const reserved = new Set([...Object.keys(errorSchemas), ...Object.keys(paymentSchemas)])

export type Components = {
  schemas: Map<string, JsonSchema>
  /** Registers `schema` as `name` and returns a reference to it; reports a mistake at `node` when the name is taken. */
  name(name: string, schema: JsonSchema, node: ASTNode): JsonSchema
}

export function components(report: Report): Components {
  const schemas = new Map<string, JsonSchema>()
  return {
    schemas,
    name(name, schema, node) {
      const known = schemas.get(name)
      if (reserved.has(name)) report(node, `The schema name ${name} is reserved.`)
      else if (!/^[A-Za-z][\w.-]*$/.test(name)) report(node, `"${name}" is no name for an OpenAPI schema.`)
      else if (known && !sameShape(known, schema)) report(node, `${name} already names another shape.`)
      else if (!known) schemas.set(name, schema)
      return { $ref: `#/components/schemas/${name}` }
    },
  }
}

/** Compares two schemas, ignoring descriptions and the order of fields. */
const sameShape = (a: JsonSchema, b: JsonSchema): boolean => plain(a) === plain(b)

function plain(schema: unknown): string {
  return JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'description') return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') {
    if (Object.keys(schema).length === 0) return schema
    const { description, ...rest } = schema
    return { anyOf: [rest, { type: 'null' }], ...(description === undefined ? {} : { description }) }
  }
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  }
}

/** Returns the keywords that describe a member under its older name. */
export const olderNameOf = (name: string): JsonSchema => ({
  deprecated: true,
  description: `Older name of \`${name}\`.`,
})

type Objects = Shape & { kind: 'object' }

const newerName = (members: readonly Member[], field: string): string =>
  members.find(member => member.field.name === field && !member.isOlder)?.key ?? field

function objectSchema(
  { sparse }: Objects,
  members: readonly Member[],
  aside: readonly string[],
  into: Components,
): JsonSchema {
  const shown = members.filter(member => !aside.includes(member.key))
  const properties = shown.map(({ key, field, shape, isOlder }) => {
    const schema = answerSchema(sparse ? { ...shape, nullable: false } : shape, null, into)
    if (isOlder) return [key, { ...schema, ...olderNameOf(newerName(shown, field.name)) }]
    return [key, field.description ? { ...schema, description: field.description } : schema]
  })
  const required = shown.filter(member => !(sparse && member.shape.nullable)).map(({ key }) => key)
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) }
}

/** `named`: the name of the response object itself; a nested object is named by its own @schema, or not at all. */
export function answerSchema(
  shape: Shape,
  named: { value: string; node: ASTNode } | null,
  into: Components,
  aside: readonly string[] = [],
): JsonSchema {
  const schema = bare(shape, named, into, aside)
  return shape.nullable ? orNull(schema) : schema
}

function bare(
  shape: Shape,
  named: { value: string; node: ASTNode } | null,
  into: Components,
  aside: readonly string[],
) {
  if (shape.kind === 'leaf') return leafSchema(shape)
  if (shape.kind === 'list') return { type: 'array', items: answerSchema(shape.of, named, into, aside) }
  const variants = shape.variants.map(members => objectSchema(shape, members, aside, into))
  const different = variants.filter((one, index) => variants.findIndex(other => sameShape(one, other)) === index)
  const [only = {}] = different
  const schema = different.length > 1 ? { anyOf: different } : only
  const name = named ?? nameArgument(shape.node, 'schema')
  return name ? into.name(name.value, schema, name.node) : schema
}

export function leafSchema({ type, rules }: Shape & { kind: 'leaf' }): JsonSchema {
  if ('getValues' in type) return { type: 'string', enum: type.getValues().map(value => value.name) }
  // An id in a response is a UUID unless its field declares a pattern; an id in a request follows its zod rule.
  const isUuid = type.name === 'ID' && rules.pattern === undefined
  return { ...(isUuid ? { type: 'string', format: 'uuid' } : schemaOf(type)), ...rules }
}
