// Turns the result of an operation into the response of its route, where their shapes differ.

export type Rewrite = {
  /** The response itself, whatever the result is. */
  value?: string
  /** Members whose own members take their place, with the names of these, which are null where the object is. */
  flatten?: Readonly<Record<string, readonly string[]>>
  /** The member whose value is the response in place of the object. */
  only?: string
  /** Values of members that are the same in every response. */
  constants?: Readonly<Record<string, string>>
  /** Members with the value of a variable. */
  variables?: Readonly<Record<string, string>>
  /** Members that are null are left out. */
  sparse?: true
  /** The rewriting within members; within each item if the member is a list. */
  within?: Readonly<Record<string, Rewrite>>
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export function rewritten(
  value: unknown,
  rewrite: Rewrite | null,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  if (rewrite === null) return value
  if (rewrite.value !== undefined) return rewrite.value
  if (Array.isArray(value)) return value.map(item => rewritten(item, rewrite, variables))
  if (!isObject(value)) return value
  const { flatten = {}, constants = {}, variables: named = {}, within = {} } = rewrite
  const result: Record<string, unknown> = {}
  for (const [key, raw] of Object.entries(value)) {
    const member = rewritten(raw, within[key] ?? null, variables)
    const inner = flatten[key]
    const variable = named[key]
    if (inner) for (const name of inner) result[name] = isObject(member) ? member[name] : null
    else if (variable !== undefined) result[key] = variables[variable]
    else if (!(rewrite.sparse && member === null)) result[key] = constants[key] ?? member
  }
  return rewrite.only === undefined ? result : result[rewrite.only]
}
