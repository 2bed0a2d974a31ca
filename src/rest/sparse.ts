// Removes null members from those objects of a response whose members are absent instead of null (@sparse).

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** `path`: the response keys that lead to the objects; lists on the way are traversed implicitly. */
export function withoutNulls(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => withoutNulls(item, path))
  if (!isObject(value)) return value
  const [key, ...further] = path
  if (key === undefined) return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
  return Object.hasOwn(value, key) ? { ...value, [key]: withoutNulls(value[key], further) } : value
}
