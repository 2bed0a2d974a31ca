// The custom scalars of the schema, and the one wire format of each.
import { GraphQLError, GraphQLScalarType } from 'graphql'
import { plainAmount } from '../core/amount.ts'
import { isLargerThan } from '../core/json-size.ts'
import { Prisma } from '../generated/prisma/client.ts'

export const dateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A moment in UTC as RFC 3339 with milliseconds: `2026-01-31T12:00:00.000Z`.',
  serialize: value => {
    if (value instanceof Date) return value.toISOString()
    throw new GraphQLError('DateTime cannot represent this value.')
  },
  parseValue: value => {
    if (typeof value === 'string') return value
    throw new GraphQLError('DateTime must be a string.')
  },
})

export const decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description: 'An exact decimal as a string, never a JSON number: `"12.5"`. Sent without trailing zeros or exponent.',
  serialize: value => {
    if (typeof value === 'string') return plainAmount(value)
    if (value instanceof Prisma.Decimal) return value.toFixed()
    throw new GraphQLError('Decimal cannot represent this value.')
  },
  parseValue: value => {
    if (typeof value === 'string') return value
    throw new GraphQLError('Decimal must be a string.')
  },
})

export const base64 = new GraphQLScalarType<never, string>({
  name: 'Base64',
  description: 'Bytes in base64 (RFC 4648, padded).',
  serialize: value => {
    if (value instanceof Uint8Array)
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    throw new GraphQLError('Base64 cannot represent this value.')
  },
})

const isJsonObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const jsonObject = new GraphQLScalarType<object, object>({
  name: 'JSONObject',
  description: 'A JSON object whose members depend on the field.',
  serialize: value => {
    if (isJsonObject(value)) return value
    throw new GraphQLError('JSONObject cannot represent this value.')
  },
  parseValue: value => {
    if (!isJsonObject(value)) throw new GraphQLError('JSONObject must be an object.')
    if (isLargerThan(value, { values: Number.POSITIVE_INFINITY, levels: 64 }))
      throw new GraphQLError('JSONObject must not be nested deeper than 64 levels.')
    return value
  },
})
