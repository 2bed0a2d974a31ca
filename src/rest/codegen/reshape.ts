// Computes what @flatten, @constant and @echo make of the members of an object.
import type { Rewrite } from '../rewrite.ts'
import { annotated, textArgument } from './annotation.ts'
import type { Report } from './mistakes.ts'
import type { Member } from './shape-type.ts'

/** Returns the member with @flatten whose list takes the place of the object; null when there is none. */
export function onlyMember(variants: readonly Member[][], report: Report): Member | null {
  const lists = variants.flat().filter(({ node, shape }) => annotated(node, 'flatten') && shape.kind === 'list')
  const [only = null] = lists
  if (only && variants.flat().length > 1) report(only.node, 'A list with @flatten is the only member of its object.')
  for (const { node, shape } of variants.flat())
    if (annotated(node, 'flatten') && shape.kind === 'leaf')
      report(node, '@flatten is for an object or a list, and this is none.')
  return only
}

/** Returns the members that the response has in place of this member. */
export function flattened(member: Member): Member[] {
  const { node, shape } = member
  if (!annotated(node, 'flatten') || shape.kind !== 'object') return [member]
  return shape.variants
    .flat()
    .map(inner => (shape.nullable ? { ...inner, shape: { ...inner.shape, nullable: true } } : inner))
}

const valuesIn = <Value>(entries: readonly (readonly [string, Value | null])[]): Record<string, Value> =>
  Object.fromEntries(entries.flatMap(([key, value]) => (value === null ? [] : [[key, value]])))

/** Returns null when the members stay as they are. `only`: the member that takes the place of the object. */
export function rewriteOf(variants: readonly Member[][], sparse: boolean, only: string | null): Rewrite | null {
  const members = variants.flat()
  const parts = {
    flatten: valuesIn(
      members.map(member => {
        const isFlat = annotated(member.node, 'flatten') && member.shape.kind === 'object'
        return [member.key, isFlat ? flattened(member).map(({ key }) => key) : null]
      }),
    ),
    constants: valuesIn(members.map(({ key, node }) => [key, textArgument(node, 'constant', 'value')])),
    variables: valuesIn(members.map(({ key, node }) => [key, textArgument(node, 'echo', 'variable')])),
    within: valuesIn(members.map(({ key, shape }) => [key, shape.rewrite])),
  }
  const rewrite: Rewrite = {
    ...Object.fromEntries(Object.entries(parts).filter(([, values]) => Object.keys(values).length > 0)),
    ...(sparse && { sparse }),
    ...(only !== null && { only }),
  }
  return Object.keys(rewrite).length > 0 ? rewrite : null
}
