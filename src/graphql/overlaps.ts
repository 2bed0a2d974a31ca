// Counts what validation compares: each two fields with one response name in one place, because they must be the same
// field. Their number grows with the square of the fields.

import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'
import { documentLimits } from '../core/request-limits.ts'

// A bounded document has fewer selections and levels, unless a fragment spreads itself, which validation refuses.
const mostVisited = 10_000

/** Returns the greatest number of any definition of a bounded document. Spreads count too: they are compared alike. */
export function overlapsIn({ definitions }: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }

  let visited = 0

  /** `sets`: the selection sets of fields that are one field in the answer. */
  function of(sets: readonly SelectionSetNode[], level: number): number {
    const fields = new Map<string, { count: number; sets: SelectionSetNode[] }>()
    let spreads = 0

    function collect({ selections }: SelectionSetNode, above: readonly string[]): void {
      for (const selection of selections) {
        visited += 1
        if (visited > mostVisited) return
        if (selection.kind === Kind.FIELD) {
          const name = (selection.alias ?? selection.name).value
          const same = fields.get(name) ?? { count: 0, sets: [] }
          fields.set(name, same)
          same.count += 1
          if (selection.selectionSet) same.sets.push(selection.selectionSet)
        } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, above)
        else {
          spreads += 1
          const { value: name } = selection.name
          const fragment = fragments.get(name)
          if (fragment && !above.includes(name)) collect(fragment.selectionSet, [...above, name])
        }
      }
    }

    for (const set of sets) collect(set, [])
    let pairs = pairsOf(spreads)
    for (const { count, sets } of fields.values())
      pairs += pairsOf(count) + (sets.length > 0 && level < documentLimits.depth ? of(sets, level + 1) : 0)
    return pairs
  }

  return Math.max(
    0,
    ...definitions.map(one => ('selectionSet' in one && one.selectionSet ? of([one.selectionSet], 1) : 0)),
  )
}

const pairsOf = (count: number): number => (count * (count - 1)) / 2
