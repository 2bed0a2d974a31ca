// Writes a value as the JSON text that its GraphQL type sends.
import {
  type GraphQLEnumType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql'
import { literal, NotInSql, type Piece } from './statement.ts'

/**
 * Stands in the text where resolvers would report an error. Values of a caller can contain it too: then resolvers
 * answer, and find no error.
 */
export const refusal = JSON.stringify(`refused ${crypto.randomUUID()}`)
export const refused = { sql: literal(refusal) }

// The expressions take values that were checked when they were written, so they do not check their form again.
const texts: Readonly<Record<string, (value: string) => string>> = {
  ID: value => `to_json(${value}::text)::text`,
  String: value => `to_json(${value})::text`,
  Hash32: value => `to_json(${value})::text`,
  Address: value => `to_json(${value})::text`,
  URL: value => `to_json(${value})::text`,
  Date: value => `to_json(${value})::text`,
  Int: value => `${value}::text`,
  Boolean: value => `${value}::text`,
  Decimal: value => `'"' || trim_scale(${value}) || '"'`,
  BigInt: value => `'"' || ${value} || '"'`,
  DateTime: value => `'"' || to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`,
}

const plain = (value: string) => `'"' || ${value} || '"'`

/** `value`: an SQL expression; with `isPlain`, no character of it has to be escaped. */
export function leafOf(type: GraphQLOutputType, value: string, mayBeNull = true, isPlain = false): Piece {
  if (isListType(type) || (isNonNullType(type) && isListType(type.ofType))) throw new NotInSql('a list of values')
  const named = getNamedType(type)
  const write = isPlain && named.name === 'ID' ? plain : texts[named.name]
  const text = isEnumType(named) ? enumText(named, value) : write?.(value)
  if (text === undefined) throw new NotInSql(`values of ${named.name}`)
  return { sql: mayBeNull ? `coalesce(${text}, ${isNonNullType(type) ? refused.sql : `'null'`})` : `(${text})` }
}

function enumText(type: GraphQLEnumType, value: string): string {
  const cases = type.getValues().map(({ name, value }) => `when ${literal(String(value))} then '"${name}"'`)
  return `case ${value}::text ${cases.join(' ')} else case when ${value} is not null then ${refused.sql} end end`
}
