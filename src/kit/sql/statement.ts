// One SQL statement under construction: its parameters and aliases, and text that PostgreSQL puts together.

/** Thrown for a field that cannot be read in SQL, whatever its arguments are: resolvers answer it. */
export class NotInSql extends Error {}

/** Thrown where SQL cannot read a field with these arguments. */
export class NotThisTime extends Error {}

/** A part of the JSON text of an answer: the text itself, or an SQL expression of type `text`, which is never null. */
export type Piece = string | { sql: string }

/** An SQL expression in the place of a value, in a condition for Prisma. */
export class Expression {
  readonly sql: string
  constructor(sql: string) {
    this.sql = sql
  }
}

export type ValueType = 'uuid' | 'text' | 'bigint' | 'timestamptz'
export type Value = { value: unknown; type: ValueType }

export type Statement = {
  values: readonly Value[]
  /** Returns what stands for the value in the statement. */
  value(value: unknown, type: ValueType): string
  alias(): string
}

const columnOfAsked = (place: number): string => `asked.p${place}`

/** `standIn`: what stands for the value at this place, beginning with 1; unless given, a column of `asked`. */
export function createStatement(standIn = columnOfAsked): Statement {
  const values: Value[] = []
  let aliases = 0
  return {
    values,
    value(value, type) {
      const known = values.findIndex(entry => entry.value === value && entry.type === type)
      return standIn(known === -1 ? values.push({ value, type }) : known + 1)
    },
    alias: () => `t${++aliases}`,
  }
}

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

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

/** Returns the pieces of a JSON object. */
export const objectOf = (members: readonly (readonly [key: string, pieces: readonly Piece[]])[]): Piece[] => [
  '{',
  ...members.flatMap(([key, pieces], index) => [`${index === 0 ? '' : ','}${JSON.stringify(key)}:`, ...pieces]),
  '}',
]
