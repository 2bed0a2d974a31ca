// GraphQL inputs and arguments from zod: a field is declared once, with its rules and its description.
import { z } from 'zod'
import { builder } from './builder.ts'

type Scalar = 'String' | 'ID' | 'Int' | 'Boolean' | 'Decimal' | 'DateTime'
const scalars: readonly string[] = ['String', 'ID', 'Int', 'Boolean', 'Decimal', 'DateTime']
const isScalar = (name: unknown): name is Scalar => typeof name === 'string' && scalars.includes(name)

type EnumRef = ReturnType<typeof builder.enumType>
/** The GraphQL enums of members that are one; a zod enum knows its values but not its name. */
type Enums = Readonly<Record<string, EnumRef>>

/** The scalar a zod type names with `.meta({ graphql: 'Decimal' })`. */
function scalarOf(type: z.ZodType): Scalar | null {
  const name = type.meta()?.graphql
  if (isScalar(name)) return name
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable || type instanceof z.ZodDefault) {
    const inner = type.unwrap()
    if (inner instanceof z.ZodType) return scalarOf(inner)
  }
  return null
}

function members(schema: z.ZodObject, enums: Enums) {
  return Object.entries(schema.shape).map(([key, type]) => {
    if (!(type instanceof z.ZodType)) throw new Error(`${key} is not a zod type`)
    const { description } = type
    const named = enums[key] ?? scalarOf(type)
    if (named === null || description === undefined) throw new Error(`${key} needs a GraphQL type and a description`)
    return { key, type: named, required: !type.safeParse(undefined).success, description }
  })
}

/** One input object type from a strict zod object. Optional members may be null or absent. */
export function inputType<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  schema: z.ZodObject<Shape>,
  enums: Enums = {},
) {
  return builder.inputRef<z.input<typeof schema>>(name).implement({
    description,
    // The shape is zod's; Pothos cannot follow it through a list of members.
    fields: t =>
      Object.fromEntries(members(schema, enums).map(({ key, ...member }) => [key, t.field(member)])) as never,
  })
}

/** The arguments of a field from a strict zod object; the resolver parses them with the same object. */
export const argumentsOf = (schema: z.ZodObject, enums: Enums = {}) =>
  builder.args(t => Object.fromEntries(members(schema, enums).map(({ key, ...member }) => [key, t.field(member)])))
