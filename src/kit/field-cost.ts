// What a field costs, as it is declared beside the field: `extensions: { cost, listSize }`, with the meaning of the GraphQL
// cost directives (@cost, @listSize). One unit is about a tenth of a millisecond of this process and its database.
import type { GraphQLField } from 'graphql'
import { z } from 'zod'

type Arguments = Readonly<Record<string, unknown>>

const listSize = z.strictObject({
  /** Entries when no slicing argument is given. */
  assumedSize: z.number().positive(),
  /** Arguments that say how many entries are asked for; the largest counts. */
  slicingArguments: z.array(z.string()).default([]),
  /** The field answers no more entries than this. */
  maxSize: z.int().positive().optional(),
  /** Fields of the answer's type that hold the entries, where the field itself is no list. */
  sizedFields: z.array(z.string()).default([]),
})

const declaration = z.object({
  /** The field costs this once for each object that it stands in. Its arguments come as the document gives them, unchecked. */
  cost: z.union([z.number(), z.custom<(args: Arguments) => number>(value => typeof value === 'function')]).default(0),
  listSize: listSize.optional(),
  /** The field itself limits how much of it runs at once. */
  hasOwnTurns: z.boolean().default(false),
})

export type ListSize = z.output<typeof listSize>

/** A Relay connection. */
export const connectionSize = (assumedSize: number, maxSize: number): z.input<typeof listSize> => ({
  assumedSize,
  maxSize,
  slicingArguments: ['first', 'last'],
  sizedFields: ['edges', 'nodes'],
})

type Field = Pick<GraphQLField<unknown, unknown>, 'extensions'>

const declared = new WeakMap<Field, z.output<typeof declaration>>()

/** Throws for a declaration that is malformed. */
export function declaredCost(field: Field): z.output<typeof declaration> {
  const known = declared.get(field)
  if (known) return known
  const cost = declaration.parse(field.extensions)
  declared.set(field, cost)
  return cost
}

export function entriesOf({ assumedSize, slicingArguments, maxSize }: ListSize, args: Arguments): number {
  const asked = slicingArguments.flatMap(name => {
    const value = args[name]
    return typeof value === 'number' && value >= 0 ? [value] : []
  })
  return Math.min(asked.length === 0 ? assumedSize : Math.max(...asked), maxSize ?? Number.POSITIVE_INFINITY)
}

/** A list of at most `maxSize` entries, whose argument of this name says how many. */
export const slicedBy = (name: string, assumedSize: number, maxSize: number): z.input<typeof listSize> => ({
  assumedSize,
  maxSize,
  slicingArguments: [name],
})

/** The database reads every row that an offset skips. */
export const skipCost = (rows: unknown): number => (typeof rows === 'number' && rows > 0 ? rows / 500 : 0)

/** A count reads every row that it counts. */
export const countCost = 20
