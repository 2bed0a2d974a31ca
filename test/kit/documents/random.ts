// Random choices that a seed repeats.

export type Random = ReturnType<typeof randomFrom>

export function randomFrom(seed: number) {
  let state = seed | 0
  /** mulberry32: from 0 to below 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  const chance = (probability: number): boolean => next() < probability
  function pick<Item>(items: readonly Item[]): Item {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const some = <Item>(items: readonly Item[], most: number): Item[] =>
    items.length === 0 ? [] : Array.from({ length: below(most + 1) }, () => pick(items))
  const hex = (bytes: number): string =>
    Array.from({ length: bytes }, () => below(256).toString(16).padStart(2, '0')).join('')
  const uuid = (): string => hex(16).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
  return { below, chance, pick, some, hex, uuid }
}
