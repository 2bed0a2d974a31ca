// The JSON text of an answer in pieces, which PostgreSQL puts together.

/** A part of the JSON text of an answer: the text itself, or an SQL expression of type `text`, which is never null. */
export type Piece = string | { sql: string }

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Returns the pieces of a JSON object. */
export const objectOf = (members: readonly (readonly [key: string, pieces: readonly Piece[]])[]): Piece[] => [
  '{',
  ...members.flatMap(([key, pieces], index) => [`${index === 0 ? '' : ','}${JSON.stringify(key)}:`, ...pieces]),
  '}',
]

/** Returns an SQL expression for pieces that follow each other. */
export function joined(pieces: readonly Piece[]): string {
  const parts: string[] = []
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    if (text !== '') parts.push(literal(text))
    text = ''
    parts.push(piece.sql)
  }
  if (text !== '' || parts.length === 0) parts.push(literal(text))
  return balanced(parts)
}

/** Each `||` copies both sides, so a long text is copied seldom: halves are put together. */
function balanced(parts: readonly string[]): string {
  if (parts.length <= 1) return `${parts[0]}`
  const half = parts.length >> 1
  return `(${balanced(parts.slice(0, half))} || ${balanced(parts.slice(half))})`
}
