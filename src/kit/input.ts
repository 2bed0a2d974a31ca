// Builds GraphQL inputs, arguments and object types from zod: a field is declared once, with its rules and description.
import type { z } from 'zod'
import { builder } from './builder.ts'
import { described } from './enum-names.ts'
import { membersOf, shapeOf, type ZodShape } from './zod-shape.ts'

type EnumRef = ReturnType<typeof builder.enumType>
/** GraphQL enums by member, for members whose zod enum has no GraphQL name. */
export type Enums = Readonly<Record<string, EnumRef>>

const made = new Map<string, unknown>()

/** Creates each named type once. */
function once<Ref>(name: string, make: () => Ref): Ref {
  const ref = (made.get(name) as Ref | undefined) ?? make()
  made.set(name, ref)
  return ref
}

const enumRef = ({ name, description, values, textInRest }: ZodShape & { kind: 'enum' }): EnumRef =>
  once(name, () => builder.enumType(name, { description, values: described(values), extensions: { textInRest } }))

/** Returns the GraphQL enum of a zod enum that has a GraphQL name. */
export function enumOf<Value extends string>(type: z.ZodEnum<Record<string, Value>>) {
  const shape = shapeOf(type)
  if (shape?.kind !== 'enum') throw new Error('the enum needs a GraphQL name')
  return enumRef(shape) as PothosSchemaTypes.EnumRef<never, Value>
}

/** Filters, conditions, orders, ranges and groupings are only input, so that their names need not say it. */
const inputName = (name: string) => (/(Filter|Condition|Order|Range|Grouping)$/.test(name) ? name : `${name}Input`)

// The references of nested types have shapes that only zod knows; Pothos sees them as a scalar.
type Ref = 'String'
const asRef = (ref: unknown) => ref as Ref

function inputRef(shape: ZodShape): Ref | [Ref] {
  if (shape.kind === 'list') return [asRef(inputRef(shape.of))]
  if (shape.kind === 'enum') return asRef(enumRef(shape))
  if (shape.kind === 'scalar') return asRef(shape.name)
  const { name, description, schema } = shape
  const input = inputName(name)
  return asRef(inputType(input, description, schema))
}

const inputMembers = (schema: z.ZodObject, enums: Enums) =>
  membersOf(schema).map(({ key, shape, description, optional, deprecated, restOnly }) => {
    const type = enums[key] ?? (shape && inputRef(shape))
    if (type === null) throw new Error(`${key} needs a GraphQL type`)
    return { key, type: type as Ref, required: !optional, description, extensions: { restOnly }, ...deprecated }
  })

/**
 * Creates an input object type from a strict zod object, or returns the one of this name. Optional members may be null
 * or absent.
 */
export const inputType = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  schema: z.ZodObject<Shape>,
  enums: Enums = {},
) => once(name, () => newInputType(name, description, schema, enums))

function newInputType<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  schema: z.ZodObject<Shape>,
  enums: Enums,
) {
  return builder.inputRef<z.input<typeof schema>>(name).implement({
    description,
    // The shape is zod's; Pothos cannot follow it through a list of members.
    fields: t =>
      Object.fromEntries(inputMembers(schema, enums).map(({ key, ...member }) => [key, t.field(member)])) as never,
  })
}

/** Creates the arguments of a field from a strict zod object; the resolver parses them with the same object. */
export const argumentsOf = (schema: z.ZodObject, enums: Enums = {}) =>
  builder.args(t => Object.fromEntries(inputMembers(schema, enums).map(({ key, ...member }) => [key, t.field(member)])))

/** Creates an object type that shows what the zod object parses to, member for member. */
export function objectType<Shape extends z.ZodRawShape>(name: string, description: string, schema: z.ZodObject<Shape>) {
  return builder.objectRef<z.output<typeof schema>>(name).implement({
    description,
    fields: t =>
      Object.fromEntries(
        membersOf(schema).map(({ key, shape, description, nullable }) => {
          if (shape === null) throw new Error(`${key} needs a GraphQL type`)
          const resolve = (parent: Record<string, unknown>) => parent[key]
          return [key, t.field({ type: outputRef(shape), nullable, description, resolve: resolve as never })]
        }),
      ) as never,
  })
}

/** Returns the type of an output field that shows a list in its input form, so that clients can send it back. */
export function listTypeOf(type: z.ZodType): [Ref] {
  const shape = shapeOf(type)
  if (shape?.kind !== 'list') throw new Error('the input is no list')
  return [asRef(outputRef(shape.of))]
}

function outputRef(shape: ZodShape): Ref | [Ref] {
  if (shape.kind === 'list') return [asRef(outputRef(shape.of))]
  if (shape.kind === 'enum') return asRef(enumRef(shape))
  if (shape.kind === 'scalar') return asRef(shape.name)
  const { name, description, schema } = shape
  return asRef(once(name, () => objectType(name, description, schema)))
}
