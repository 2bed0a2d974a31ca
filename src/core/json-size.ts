// Measures a JSON value, without recursion because an untrusted client chooses its depth.

/** Returns whether the value, with all nested values, has more values or more levels of nesting than `most` allows. */
export function isLargerThan(value: unknown, most: { values: number; levels: number }): boolean {
  let level: unknown[] = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length
    if (depth > most.levels || count > most.values) return true
    const inner: unknown[] = []
    for (const item of level) {
      if (typeof item === 'object' && item !== null) for (const value of Object.values(item)) inner.push(value)
    }
    level = inner
  }
  return false
}
