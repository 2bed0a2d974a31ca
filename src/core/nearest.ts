// Finds the known word that a misspelt word most likely means.

/** Levenshtein distance: the number of letters to insert, remove or replace to turn one word into the other. */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...one].entries()) {
    const above = row
    row = [index + 1]
    for (let column = 1; column <= other.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1)
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1))
    }
  }
  return row[other.length] ?? 0
}

/**
 * Returns a known word that begins with `word`, as production begins with prod, else the word at least distance. Null
 * if a third of the letters differ, because the word then means something else.
 */
export function nearest(word: string, known: readonly string[]): string | null {
  const far = known.map(candidate => (word !== '' && candidate.startsWith(word) ? 0 : distance(word, candidate)))
  const least = Math.min(...far)
  return least * 3 < word.length ? (known[far.indexOf(least)] ?? null) : null
}
