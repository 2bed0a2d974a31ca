// Cursors that contain the id of an entry. One that the caller may not read and one that is absent are refused alike.
import { parsePrismaCursor } from '@pothos/plugin-prisma'
import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { Context } from './context.ts'

type Rule = {
  hasForm(cursor: unknown): boolean
  isReadable(context: Context, cursor: unknown): Promise<boolean>
}

const rules = new Map<string, Rule>()

export const serialId = z
  .bigint()
  .min(0n)
  .max(2n ** 63n - 1n)

/** Declares the ids in the cursors of a type's entries, and which of them the caller may read. */
export function entryCursors<Id>(
  type: string,
  id: z.ZodType<Id>,
  isReadable: (of: Context, id: Id) => Promise<boolean>,
) {
  const idIn = (cursor: unknown) => id.safeParse(contentOf(cursor))
  // The same list below several parents has the same cursor.
  const known = new WeakMap<Context, Map<unknown, Promise<boolean>>>()
  rules.set(type, {
    hasForm: cursor => idIn(cursor).success,
    isReadable: (context, cursor) => {
      const answers = known.get(context) ?? new Map<unknown, Promise<boolean>>()
      known.set(context, answers)
      const { success, data } = idIn(cursor)
      const answer = answers.get(cursor) ?? (success ? isReadable(context, data) : Promise.resolve(false))
      answers.set(cursor, answer)
      return answer
    },
  })
}

// No cursor of this service is longer.
const longest = 100

function contentOf(cursor: unknown): unknown {
  if (typeof cursor !== 'string' || cursor.length > longest) return null
  try {
    return parsePrismaCursor(cursor)
  } catch {
    return null
  }
}

type Arguments = { after?: unknown; before?: unknown }

const cursorsIn = (args: Arguments) => (['after', 'before'] as const).filter(name => args[name] != null)

/** Whether a page can be planned before its cursor is checked. */
export const haveForm = (type: string, args: Arguments): boolean =>
  cursorsIn(args).every(name => rules.get(type)?.hasForm(args[name]) ?? true)

/** Throws `validation_failed` for a cursor of no entry that the caller may read. */
export async function checkCursors(type: string, args: Arguments, context: Context): Promise<void> {
  const rule = rules.get(type)
  for (const name of cursorsIn(args)) {
    if (!rule || (await rule.isReadable(context, args[name]))) continue
    throw unreadableCursor(name)
  }
}

export const unreadableCursor = (name: 'after' | 'before') => {
  const message = 'The cursor is of no entry that this caller may read. Read the list from its start.'
  return invalid([{ path: [name], message, type: 'value_error' }])
}
