// Leaves out of an answer the null members of those objects whose members are present or absent instead.

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** `path` leads to the objects by response keys; through lists it goes by itself. */
export function withoutNulls(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => withoutNulls(item, path))
  if (!isObject(value)) return value
  const [key, ...further] = path
  if (key === undefined) return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
  return Object.hasOwn(value, key) ? { ...value, [key]: withoutNulls(value[key], further) } : value
}
