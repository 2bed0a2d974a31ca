// Refuses documents that would cost more to validate and run than a legitimate one. A fragment counts as if
// expanded at each spread, but is visited once: twenty fragments that each spread the previous one twice expand to a
// million fields within a kilobyte.
import { type DocumentNode, type FragmentDefinitionNode, GraphQLError, Kind, type SelectionSetNode } from 'graphql'
import { documentLimits } from '../core/request-limits.ts'
import { overlapsIn } from './overlaps.ts'

/**
 * The size of a selection set with its fragments expanded. `depth` is that of the deepest field, `aliasLength` that of
 * the longest alias.
 */
export type Expansion = { fields: number; depth: number; aliases: number; aliasLength: number; directives: number }

const empty: Expansion = { fields: 0, depth: 0, aliases: 0, aliasLength: 0, directives: 0 }

const advice: Record<keyof Expansion, string> = {
  fields: 'Ask for fewer fields, or in several requests.',
  depth: 'Ask for nested objects by their id in a request of their own.',
  aliases: 'Ask for several objects with a list field, or in several requests.',
  aliasLength: 'Send shorter aliases: the answer repeats them for each object.',
  directives: 'Leave directives out, or split the document.',
}

const units: Record<keyof Expansion, string> = {
  fields: 'fields',
  depth: 'levels of fields',
  aliases: 'aliases',
  aliasLength: 'characters in an alias',
  directives: 'directives',
}

/** Throws a `GraphQLError` with code `document_too_large`. Runs in time linear in the document's length. */
export function demandBounded(document: DocumentNode): void {
  const measured = expansionsOf(document)
  for (const limit of Object.keys(empty) as (keyof Expansion)[]) {
    const most = Math.max(0, ...measured.map(expansion => expansion[limit]))
    const maximum = documentLimits[limit]
    if (most <= maximum) continue
    const actual = Math.min(most, 1_000_000)
    const figure = actual < most ? 'more than a million' : actual
    const message = `The document has ${figure} ${units[limit]} with its fragments written out; ${maximum} are allowed. ${advice[limit]}`
    throw new GraphQLError(message, {
      extensions: { code: 'document_too_large', limit, maximum, ...(actual === most && { actual }) },
    })
  }
  const overlaps = overlapsIn(document)
  if (overlaps <= documentLimits.overlaps) return
  throw new GraphQLError(
    `The document has ${overlaps} pairs of fields with one name in one place; ${documentLimits.overlaps} are allowed. Ask for each field once.`,
    {
      extensions: { code: 'document_too_large', limit: 'overlaps', maximum: documentLimits.overlaps, actual: overlaps },
    },
  )
}

/**
 * Returns an expansion for each operation and fragment. A fragment that spreads itself counts as empty, because
 * validation refuses it.
 */
export function expansionsOf({ definitions }: DocumentNode): Expansion[] {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  const measured = new Map<string, Expansion>()

  function ofFragment(name: string): Expansion {
    const known = measured.get(name)
    if (known) return known
    const fragment = fragments.get(name)
    measured.set(name, empty)
    if (!fragment) return empty
    const expansion = of(fragment.selectionSet, fragment.directives?.length)
    measured.set(name, expansion)
    return expansion
  }

  function of(set: SelectionSetNode, ownDirectives = 0): Expansion {
    const sum: Expansion = { ...empty, directives: ownDirectives }
    for (const selection of set.selections) {
      sum.directives += selection.directives?.length ?? 0
      if (selection.kind === Kind.FIELD) {
        sum.fields += 1
        if (selection.alias) {
          sum.aliases += 1
          sum.aliasLength = Math.max(sum.aliasLength, selection.alias.value.length)
        }
        const inner = selection.selectionSet ? of(selection.selectionSet) : null
        if (inner) add(sum, inner)
        sum.depth = Math.max(sum.depth, 1 + (inner?.depth ?? 0))
      } else {
        const inner =
          selection.kind === Kind.FRAGMENT_SPREAD ? ofFragment(selection.name.value) : of(selection.selectionSet)
        add(sum, inner)
        sum.depth = Math.max(sum.depth, inner.depth)
      }
    }
    return sum
  }

  return definitions.flatMap(definition => {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) return ofFragment(definition.name.value)
    if (definition.kind !== Kind.OPERATION_DEFINITION) return []
    return of(definition.selectionSet, definition.directives?.length)
  })
}

function add(sum: Expansion, inner: Expansion): void {
  sum.fields += inner.fields
  sum.aliases += inner.aliases
  sum.aliasLength = Math.max(sum.aliasLength, inner.aliasLength)
  sum.directives += inner.directives
}
