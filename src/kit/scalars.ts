// The custom scalars of the schema, and the one wire format of each. An argument is only read as text here: the rules
// of its field check it, so that a wrong value is `validation_failed`, with its place, over every transport.
import { GraphQLError, GraphQLScalarType } from 'graphql'
import { z } from 'zod'
import { plainAmount } from '../core/amount.ts'
import { isLargerThan } from '../core/json-size.ts'
import { Prisma } from '../generated/prisma/client.ts'

type Texts = {
  description: string
  specifiedByURL: string
  /** JSON Schema of the values, for the OpenAPI document. */
  json: Record<string, unknown>
}

const scalar = <Input, Output>(
  name: string,
  { json, ...texts }: Texts,
  /** Returns undefined for a value that the scalar cannot represent. */
  write: (value: unknown) => Output | undefined,
  read?: (value: unknown) => Input,
) =>
  new GraphQLScalarType<Input, Output>({
    name,
    ...texts,
    extensions: { json },
    serialize: value => {
      const written = write(value)
      if (written === undefined) throw new GraphQLError(`${name} cannot represent this value.`)
      return written
    },
    parseValue:
      read ??
      (() => {
        throw new GraphQLError(`${name} is no type of arguments.`)
      }),
  })

const textOf =
  (name: string, refusal = `${name} must be a string.`) =>
  (value: unknown) => {
    if (typeof value === 'string') return value
    throw new GraphQLError(refusal)
  }

/** A text of one form, which is written as it is stored. */
const textScalar = (name: string, texts: Texts, fits: (text: string) => boolean) =>
  scalar<string, string>(
    name,
    texts,
    value => (typeof value === 'string' && fits(value) ? value : undefined),
    textOf(name),
  )

const patternScalar = (name: string, texts: Omit<Texts, 'json'>, pattern: string) => {
  const form = RegExp(pattern)
  return textScalar(name, { ...texts, json: { type: 'string', pattern } }, text => form.test(text))
}

const rfc3339 = 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6'

export const dateTime = scalar<string, string>(
  'DateTime',
  {
    description: 'A moment in UTC as RFC 3339 with milliseconds: `2026-01-31T12:00:00.000Z`.',
    specifiedByURL: rfc3339,
    json: { type: 'string', format: 'date-time' },
  },
  value => (value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined),
  textOf('DateTime'),
)

const day = z.iso.date()

export const date = textScalar(
  'Date',
  {
    description: 'A day as the `full-date` of RFC 3339: `2026-01-31`. In UTC.',
    specifiedByURL: rfc3339,
    json: { type: 'string', format: 'date' },
  },
  text => day.safeParse(text).success,
)

const plainDecimal = /^-?\d+(\.\d+)?$/

export const decimal = scalar<string, string>(
  'Decimal',
  {
    description:
      'An exact decimal as a string, never a JSON number: `"12.5"`. Sent without trailing zeros or exponent.',
    specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#decimal',
    json: { type: 'string' },
  },
  value => {
    if (value instanceof Prisma.Decimal) return value.toFixed()
    return typeof value === 'string' && plainDecimal.test(value) ? plainAmount(value) : undefined
  },
  textOf('Decimal', 'Send a decimal as a string, for instance "1.5".'),
)

export const bigInt = scalar<never, string>(
  'BigInt',
  {
    description: 'An integer of any size as a decimal string: `"9007199254740993"`.',
    specifiedByURL: 'https://www.w3.org/TR/xmlschema11-2/#integer',
    json: { type: 'string', pattern: '^-?[0-9]+$' },
  },
  value => (typeof value === 'bigint' ? value.toString() : undefined),
)

const hexData = 'https://eips.ethereum.org/EIPS/eip-1474#data'

export const hash32 = patternScalar(
  'Hash32',
  {
    description:
      'A SHA-256, or the id of a transaction or block on an EVM chain: `0x` and 64 hex digits. Sent in lower case, accepted in any.',
    specifiedByURL: hexData,
  },
  '^0x[0-9a-f]{64}$',
)

export const address = patternScalar(
  'Address',
  {
    description:
      'The address of an account or contract on an EVM chain: `0x` and 40 hex digits. Sent in lower case, accepted in any.',
    specifiedByURL: hexData,
  },
  '^0x[0-9a-f]{40}$',
)

export const url = textScalar(
  'URL',
  {
    description: 'An absolute URL.',
    specifiedByURL: 'https://url.spec.whatwg.org/#absolute-url-string',
    json: { type: 'string', format: 'uri' },
  },
  text => URL.canParse(text),
)

export const chainId = scalar<never, number>(
  'ChainId',
  {
    description: 'The id of an EVM chain (EIP-155) as a whole number. It may exceed 32 bits, so it is no Int.',
    specifiedByURL: 'https://eips.ethereum.org/EIPS/eip-155',
    json: { type: 'integer' },
  },
  value => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined),
)

export const base64 = scalar<never, string>(
  'Base64',
  {
    description: 'Bytes in base64 (RFC 4648, padded).',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
    json: { type: 'string', contentEncoding: 'base64' },
  },
  value =>
    value instanceof Uint8Array
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
      : undefined,
)

const isJsonObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const jsonObject = scalar<object, object>(
  'JSONObject',
  {
    description: 'A JSON object whose members depend on the field.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
    json: { type: 'object' },
  },
  value => (isJsonObject(value) ? value : undefined),
  value => {
    if (!isJsonObject(value)) throw new GraphQLError('JSONObject must be an object.')
    if (isLargerThan(value, { values: Number.POSITIVE_INFINITY, levels: 64 }))
      throw new GraphQLError('JSONObject must not be nested deeper than 64 levels.')
    // An object written in the document has no prototype, and would not equal the same object of a variable.
    return structuredClone(value)
  },
)
