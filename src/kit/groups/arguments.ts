// Arguments that all statistics have.
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { unreadableCursor } from '../entry-cursor.ts'
import { offsetIn } from '../offset-cursor.ts'
import { countedGroups, type GroupPage } from './limits.ts'

const isGiven = (value: unknown) => value !== null && value !== undefined

/** Creates an input of which one member is given. */
export const exactlyOne = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .refine(members => Object.values(members).filter(isGiven).length === 1, 'Must have exactly one member.')

/** A member of a key that is a column of the entries. */
export const isKey = (description: string) =>
  z.literal(true).nullish().meta({ graphql: 'Boolean' }).describe(description)

const kindsOf = (keys: readonly object[]) =>
  keys.flatMap(key => Object.entries(key).flatMap(([kind, value]) => (isGiven(value) ? [kind] : [])))

/** Creates a list of different keys. */
export const distinctKeys = <Key extends z.ZodType<object>>(key: Key) =>
  z
    .array(key)
    .max(3, 'At most three keys.')
    .refine(keys => new Set(kindsOf(keys)).size === keys.length, 'Must not name a key twice.')
    .nullish()

export const mostGroups = 10_000
export const usualGroups = 100

export const pageArguments = {
  first: z
    .int()
    .min(0, 'Must not be negative.')
    .max(mostGroups, `A page has at most ${mostGroups} entries.`)
    .nullish()
    .meta({ graphql: 'Int', default: usualGroups })
    .describe(`How many groups, at most ${mostGroups}.`),
  after: z.string().nullish().meta({ graphql: 'String' }).describe('The cursor behind which the groups begin.'),
}

export type PageArguments = { first?: number | null | undefined; after?: string | null | undefined }

/**
 * `hasObjects`: objects are read for each group, and the cost of the field counts them of so many groups alone. Throws
 * `validation_failed` for a cursor that is none, and for more groups with objects.
 */
export function groupPageOf({ first, after }: PageArguments, hasObjects: boolean): GroupPage {
  const offset = after == null ? 0 : offsetIn(after)
  if (offset === null) throw unreadableCursor('after')
  if (!hasObjects) return { first: first ?? usualGroups, offset }
  if (first == null || first <= countedGroups) return { first: first ?? countedGroups, offset }
  const message = `A page has at most ${countedGroups} entries where objects of the key are selected.`
  throw invalid([{ path: ['first'], message, type: 'too_big' }])
}
