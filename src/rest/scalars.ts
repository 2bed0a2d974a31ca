// The JSON type of each GraphQL scalar on the wire. A scalar that is not listed here is a string.

export type JsonSchema = { [key: string]: unknown }

type Form = { schema: JsonSchema; type: 'string' | 'number' | 'boolean' | 'unknown' }

const forms: Record<string, Form> = {
  Int: { schema: { type: 'integer' }, type: 'number' },
  Float: { schema: { type: 'number' }, type: 'number' },
  Boolean: { schema: { type: 'boolean' }, type: 'boolean' },
  DateTime: { schema: { type: 'string', format: 'date-time' }, type: 'string' },
  Date: { schema: { type: 'string', format: 'date' }, type: 'string' },
  URL: { schema: { type: 'string', format: 'uri' }, type: 'string' },
  UUID: { schema: { type: 'string', format: 'uuid' }, type: 'string' },
  Base64: { schema: { type: 'string', contentEncoding: 'base64' }, type: 'string' },
  JSON: { schema: {}, type: 'unknown' },
  JSONObject: { schema: { type: 'object' }, type: 'unknown' },
}

const text: Form = { schema: { type: 'string' }, type: 'string' }

export const formOf = (scalar: string): Form => (Object.hasOwn(forms, scalar) ? (forms[scalar] ?? text) : text)
