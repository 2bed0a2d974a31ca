// Writes a value as the JSON text that its GraphQL type sends.
import {
  type GraphQLEnumType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql'
import { joined, literal, type Piece } from './pieces.ts'
import { jsonSentinel, refused } from './sentinels.ts'
import { NotInSql } from './statement.ts'

type Write = (value: string) => Piece[]
const bare: Write = value => [{ sql: `${value}::text` }]
const quoted: Write = value => ['"', { sql: value }, '"']
const escaped: Write = value => [{ sql: `to_json(${value})::text` }]
/** A moment to the millisecond. A microsecond more makes PostgreSQL write all digits; `to_char` takes twice as long. */
const moment: Write = value => [
  { sql: `left(to_json((${value} at time zone 'UTC') + interval '1 microsecond')::text, 24)` },
  'Z"',
]

/** Outside this range JavaScript and PostgreSQL write numbers differently, so resolvers answer. */
const double: Write = value => [
  {
    sql: `case when ${value} = 0 or ${value} between 1e-6 and 1e15 then ${value}::text::numeric::text when ${value} is not null then ${refused.sql} end`,
  },
]

/** PostgreSQL orders the members of its own JSON and writes spaces between them, so the process writes the text. */
const jsonObject: Write = value => [
  {
    sql: `case when jsonb_typeof(${value}) = 'object' then chr(${jsonSentinel.charCodeAt(0)}) || to_json(${value}::text)::text when ${value} is not null then ${refused.sql} end`,
  },
]

// Values were checked when they were stored, so their form is not checked again.
const writers: Readonly<Record<string, Write>> = {
  ID: value => escaped(`${value}::text`),
  String: escaped,
  Hash32: escaped,
  Address: escaped,
  URL: escaped,
  Date: escaped,
  Int: bare,
  Float: double,
  Boolean: bare,
  Decimal: value => quoted(`trim_scale(${value}::numeric)`),
  BigInt: quoted,
  DateTime: moment,
  JSONObject: jsonObject,
}

/** `isUuid`: the value is a UUID, whose characters need no escapes. */
type Value = { sql: string; mayBeNull: boolean; isUuid: boolean }

export function leafOf(type: GraphQLOutputType, { sql, mayBeNull, isUuid }: Value): Piece[] {
  const nullable = getNullableType(type)
  if (isListType(nullable)) {
    const item = joined(leafOf(nullable.ofType, { sql: 'item', mayBeNull: true, isUuid }))
    const items = `select string_agg(${item}, ',' order by n) from unnest(${sql}) with ordinality as items(item, n)`
    return ['[', { sql: `coalesce((${items}), '')` }, ']']
  }
  const named = getNamedType(type)
  if (isEnumType(named)) return [{ sql: enumText(named, sql, isNonNullType(type)) }]
  const write = isUuid && named.name === 'ID' ? quoted : writers[named.name]
  if (write === undefined) throw new NotInSql(`values of ${named.name}`)
  const pieces = write(sql)
  if (!mayBeNull) return pieces
  return [{ sql: `coalesce(${joined(pieces)}, ${isNonNullType(type) ? refused.sql : `'null'`})` }]
}

function enumText(type: GraphQLEnumType, value: string, isNonNull: boolean): string {
  const cases = type.getValues().map(({ name, value }) => `when ${literal(String(value))} then '"${name}"'`)
  const otherwise = isNonNull ? refused.sql : `case when ${value} is null then 'null' else ${refused.sql} end`
  return `case ${value} ${cases.join(' ')} else ${otherwise} end`
}
