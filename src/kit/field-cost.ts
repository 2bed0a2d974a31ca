// The cost of fields, declared beside each field: `extensions: { cost, listSize }`, with the meaning of the GraphQL
// cost directives (@cost, @listSize). One unit is about a tenth of a millisecond of this process and its database.
import type { GraphQLField } from 'graphql'
import { z } from 'zod'
import { offsetIn } from './offset-cursor.ts'

export type Arguments = Readonly<Record<string, unknown>>

const listSize = z.strictObject({
  /** Entries when no slicing argument is given. */
  assumedSize: z.number().positive(),
  /** Arguments that state or list how many entries are requested; the largest counts. */
  slicingArguments: z.array(z.string()).default([]),
  /** The field returns no more entries than this. */
  maxSize: z.int().positive().optional(),
  /** The cost counts no more entries than this, because hardly any caller has more. */
  usualMost: z.int().positive().optional(),
  /** Fields of the returned type that contain the entries, where the field itself is not a list. */
  sizedFields: z.array(z.string()).default([]),
})

const declaration = z.object({
  /** Cost of the field for each parent object. A function gets the arguments unchecked, as the document has them. */
  cost: z.union([z.number(), z.custom<(args: Arguments) => number>(value => typeof value === 'function')]).default(0),
  listSize: listSize.optional(),
  /** The field itself limits its concurrency. */
  hasOwnSemaphore: z.boolean().default(false),
  /** Wallet signatures that the root field checks. They have a limit of their own. */
  signatures: z.int().default(0),
})

export type ListSize = z.output<typeof listSize>

/** Returns the list size of a Relay connection. */
export const connectionSize = (assumedSize: number, maxSize: number): z.input<typeof listSize> => ({
  assumedSize,
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

// Of a list that declares no greatest size.
const mostOfAssumed = 10

/**
 * Returns how many entries of a list the cost counts. `isNested`: below the entries of another open list. The assumed
 * size is right on average; a caller who makes one object with long lists can nest it in itself, so there the greatest
 * size counts.
 */
export function entriesOf(size: ListSize, args: Arguments, isNested = false): number {
  const { assumedSize, slicingArguments, maxSize, usualMost } = size
  if (isNested && isOpen(size)) return maxSize ?? assumedSize * mostOfAssumed
  // At least one, because the selection of a list without entries is compiled and planned all the same.
  const asked = slicingArguments.flatMap(name => {
    const value = args[name]
    if (Array.isArray(value)) return [Math.max(1, value.length)]
    return typeof value === 'number' && value >= 0 ? [Math.max(1, value)] : []
  })
  return Math.min(
    asked.length === 0 ? assumedSize : Math.max(...asked),
    maxSize ?? Number.POSITIVE_INFINITY,
    usualMost ?? Number.POSITIVE_INFINITY,
  )
}

// An offset far beyond the end of a list skips what there is, and no more.
const mostForSkipped = 1_000

/** The database reads every row that an offset skips. */
const skipCost = (rows: unknown): number =>
  typeof rows === 'number' && rows > 0 ? Math.min(rows / 500, mostForSkipped) : 0

/** The cost of a root connection whose cursor may name an offset. */
export const offsetCost = ({ after }: Arguments): number => skipCost(offsetIn(after))

// What a list may read in vain: in the usual order mostly the entries of one condition, in another one all entries.
const readInVain = { usualOrder: 100, otherOrder: 300 }

/**
 * Returns the cost of the filter and order of a list that is in the order of `time` unless the caller asks for another.
 * Its indexes have one condition and `time`, or another order alone. With more, a list may read many rows in vain.
 */
export const filterCost =
  (time: string) =>
  ({ filter, orderBy, first, last }: Arguments): number => {
    const order = orderIn(orderBy) ?? time
    const others = Object.entries(membersOf(filter)).filter(([key, value]) => value != null && key !== order)
    if (order !== time) return others.length > 0 ? readInVain.otherOrder : 0
    return others.length > 1 ? readInVain.usualOrder : valuesCost(others[0]?.[1], first ?? last)
  }

// Each of several values is read by itself, up to the size of the page.
const rowsPerUnit = 100
const page = { least: 10, usual: 50, largest: 200 }

function valuesCost(values: unknown, size: unknown): number {
  const others = Array.isArray(values) ? values.length - 1 : 0
  // The values of a short page are compared all the same.
  const rows = typeof size === 'number' && size >= 0 ? Math.min(Math.max(size, page.least), page.largest) : page.usual
  return Math.floor((Math.max(others, 0) * rows) / rowsPerUnit)
}

/** The members of an argument that is an object, as the document has it. */
export const membersOf = (argument: unknown): Arguments =>
  typeof argument === 'object' && argument !== null ? { ...argument } : {}

/** Returns the member of the filter that has the values of the order. */
function orderIn(orderBy: unknown): string | null {
  const { field } = membersOf(orderBy)
  return typeof field === 'string' ? field.toLowerCase().replace(/_at$/, 'At') : null
}

/** A count reads every row that it counts. What it costs beyond this is charged once it is known. */
export const countCost = 20
/** The sum of a few counters. */
export const counterCost = 3
export const countedPerUnit = 1_000
