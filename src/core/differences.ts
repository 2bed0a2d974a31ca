// Computes the differences between two JSON values, member by member.
import diff from 'microdiff'

type Difference = {
  /** JSON pointer (RFC 6901). */
  path: string
  /** JSON; null when the member did not exist. */
  before: string | null
  /** JSON; null when the member was removed. */
  after: string | null
}

export type Differences = {
  changes: Difference[]
  /** Number of changes left out. */
  omitted: number
}

const json = (value: unknown): string => JSON.stringify(value)
const escaped = (part: string | number): string => String(part).replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns the first differences, of at most `mostCharacters` characters together. */
export function differences(before: object, after: object, mostCharacters: number): Differences {
  const all = diff(before, after).map(
    (one): Difference => ({
      path: one.path.map(part => `/${escaped(part)}`).join(''),
      before: one.type === 'CREATE' ? null : json(one.oldValue),
      after: one.type === 'REMOVE' ? null : json(one.value),
    }),
  )
  let characters = 0
  const tooMany = all.findIndex(({ path, before, after }) => {
    characters += path.length + (before ?? '').length + (after ?? '').length
    return characters > mostCharacters
  })
  const changes = tooMany === -1 ? all : all.slice(0, tooMany)
  return { changes, omitted: all.length - changes.length }
}
