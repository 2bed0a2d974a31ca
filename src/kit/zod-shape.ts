// Maps zod types to GraphQL types. Scalars, enums and objects are named with `.meta({ graphql: 'Decimal' })`;
// `values` describes the values of an enum.
import { z } from 'zod'

const scalars = [
  ...(['String', 'ID', 'Int', 'Boolean'] as const),
  ...(['Decimal', 'DateTime', 'Date', 'Hash32', 'Address', 'URL', 'JSONObject'] as const),
] as const
type Scalar = (typeof scalars)[number]

export type ZodShape =
  | { kind: 'scalar'; name: Scalar }
  | { kind: 'enum'; name: string; description: string; values: Record<string, string>; textInRest: boolean }
  | { kind: 'object'; name: string; description: string; schema: z.ZodObject }
  | { kind: 'list'; of: ZodShape }

/** Returns null when the type has no name in GraphQL. */
export function shapeOf(type: z.ZodType): ZodShape | null {
  const { graphql: name, description = '', textInRest = false } = type.meta() ?? {}
  const scalar = scalars.find(known => known === name)
  if (scalar !== undefined) return { kind: 'scalar', name: scalar }
  if (type instanceof z.ZodArray) return listOf(type.element)
  if (typeof name === 'string') {
    if (type instanceof z.ZodEnum)
      return { kind: 'enum', name, description, values: wordsOf(type), textInRest: textInRest === true }
    if (type instanceof z.ZodObject) return { kind: 'object', name, description, schema: type }
  }
  const inner = within(type)
  return inner instanceof z.ZodType ? shapeOf(inner) : null
}

function wordsOf(type: z.ZodEnum): Record<string, string> {
  const values = z.record(z.string(), z.string()).parse(type.meta()?.values)
  const missing = type.options.find(word => values[word] === undefined)
  if (missing !== undefined) throw new Error(`${missing} needs a description`)
  return values
}

function listOf(element: unknown): ZodShape | null {
  const of = element instanceof z.ZodType ? shapeOf(element) : null
  return of && { kind: 'list', of }
}

function within(type: z.ZodType): unknown {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable || type instanceof z.ZodDefault)
    return type.unwrap()
  return type instanceof z.ZodPipe ? type.in : null
}

export type Member = {
  key: string
  shape: ZodShape | null
  description: string
  /** May be absent from an input. */
  optional: boolean
  /** May be null in the parsed object. */
  nullable: boolean
  /** By `.meta({ deprecationReason })`. */
  deprecated: { deprecationReason?: string }
  /** By `.meta({ restOnly: true })`: only in the schema behind the REST API. */
  restOnly: boolean
}

/** The members of an object; each has a description. */
export const membersOf = (schema: z.ZodObject): Member[] =>
  Object.entries(schema.shape).map(([key, type]) => {
    if (!(type instanceof z.ZodType)) throw new Error(`${key} is not a zod type`)
    const { description } = type
    if (description === undefined) throw new Error(`${key} needs a description`)
    const absent = type.safeParse(undefined)
    const reason = type.meta()?.deprecationReason
    return {
      key,
      shape: shapeOf(type),
      description,
      optional: absent.success,
      nullable: absent.success && (absent.data === null || absent.data === undefined),
      deprecated: typeof reason === 'string' ? { deprecationReason: reason } : {},
      restOnly: type.meta()?.restOnly === true,
    }
  })
