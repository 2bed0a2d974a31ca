// The cost of fields, declared beside each field: `extensions: { cost, listSize, search }`. schema.graphql shows it by
// the GraphQL cost directives (@cost, @listSize), from which clients compute what an operation costs. One unit is about
// a tenth of a millisecond of this process and its database.
import type { GraphQLField } from 'graphql'
import { z } from 'zod'

export type Arguments = Readonly<Record<string, unknown>>

/** The prices that are the same for all fields. */
export const tariff = {
  /** An object is read from the database and passes resolvers; a value of an object is copied. */
  object: 0.2,
  value: 0.02,
  /** The schema is read from memory, without a pause: a cost of 2,000 is less than a tenth of a second. */
  schemaEntry: 0.05,
  /** A transaction with its audit row, event and job. */
  write: 5,
  /** The entries of a list that declares no size. */
  undeclaredEntries: 10,
}

const listSize = z.strictObject({
  /** Entries when no slicing argument is given. */
  assumedSize: z.number().positive(),
  /** Arguments, or their members (`input.ids`), that state or list the requested entries; the largest counts. */
  slicingArguments: z.array(z.string()).default([]),
  /** The field returns no more entries than this. */
  maxSize: z.int().positive().optional(),
  /** The cost counts no more entries than this, because hardly any caller has more; `maxSize` unless given. */
  usualMost: z.int().positive().optional(),
  /** Fields of the returned type that contain the entries, where the field itself is not a list. */
  sizedFields: z.array(z.string()).default([]),
})

/** Declared by lists with the arguments `filter` and `orderBy`: see search-cost.ts. */
const search = z.strictObject({
  /** The member of the filter whose column orders the list unless the caller asks for another. */
  usualOrder: z.string(),
  /** Conditions that cost more, by their name in the filter. */
  dear: z.record(z.string(), z.number()).default({}),
})

const declaration = z.object({
  /** Cost of the field for each parent object. */
  cost: z.number().default(0),
  listSize: listSize.optional(),
  /** Cost of each entry that the slicing arguments list, whatever is selected: of each write, in a mutation of many. */
  costOfEntry: z.number().default(0),
  search: search.optional(),
  /** The field itself limits its concurrency. */
  hasOwnSemaphore: z.boolean().default(false),
  /** Wallet signatures that the root field checks. They have a limit of their own. */
  signatures: z.int().default(0),
})

export type Search = z.output<typeof search>
export type ListSize = z.output<typeof listSize>

/** Returns the list size of a Relay connection, whose pages have `size` entries unless a caller asks for others. */
export const connectionSize = (size: number, maxSize: number): z.input<typeof listSize> => ({
  assumedSize: size,
  maxSize,
  slicingArguments: ['first', 'last'],
  sizedFields: ['edges', 'nodes'],
})

/** In the extensions of a text with this many characters at most, which takes longer to copy than others. */
export const longText = (characters: number): { cost: number } => ({ cost: characters / 20_000 })

type Field = Pick<GraphQLField<unknown, unknown>, 'extensions'>

const declared = new WeakMap<Field, z.output<typeof declaration>>()

/** Returns the declared cost of a field; throws when the declaration is malformed. */
export function declaredCost(field: Field): z.output<typeof declaration> {
  const known = declared.get(field)
  if (known) return known
  const cost = declaration.parse(field.extensions)
  declared.set(field, cost)
  return cost
}

/** Whether no argument decides how many entries the list has: the owner of the data does. */
export const isOpen = ({ slicingArguments }: ListSize): boolean => slicingArguments.length === 0

/** Returns the most entries of a list that the cost counts. */
export const mostCounted = ({ assumedSize, maxSize, usualMost }: ListSize): number =>
  usualMost ?? maxSize ?? assumedSize * 10

/**
 * Returns how many entries of a list the cost counts. `isNested`: below the entries of another open list. The assumed
 * size is right on average; a caller who makes one object with long lists can nest it in itself, so there the greatest
 * size counts.
 */
export function entriesOf(size: ListSize, args: Arguments, isNested = false): number {
  const { assumedSize, slicingArguments } = size
  if (isNested && isOpen(size)) return mostCounted(size)
  // At least one, because the selection of a list without entries is compiled and planned all the same.
  const requested = slicingArguments.flatMap(path => {
    const value = valueAt(path, args)
    if (Array.isArray(value)) return [Math.max(1, value.length)]
    return typeof value === 'number' && value >= 0 ? [Math.max(1, value)] : []
  })
  return Math.min(requested.length === 0 ? assumedSize : Math.max(...requested), mostCounted(size))
}

const valueAt = (path: string, args: Arguments): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      args,
    )

/** A count reads every row that it counts. What it costs beyond this is charged once it is known. */
export const countCost = 20
/** The sum of a few counters. */
export const counterCost = 3
export const countedPerUnit = 1_000
