// How large a JSON value is, walked without recursion because a stranger chose its depth.

/** Whether the value holds more than so many values, itself and all nested ones, or is nested deeper than so many levels. */
export function isLargerThan(value: unknown, most: { values: number; levels: number }): boolean {
  let level: unknown[] = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length
    if (depth > most.levels || count > most.values) return true
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
