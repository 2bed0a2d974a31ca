// The JSON schema of each GraphQL scalar on the wire. A scalar that is not listed here is a string.

export type JsonSchema = { [key: string]: unknown }

const schemas: Record<string, JsonSchema> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  URL: { type: 'string', format: 'uri' },
  UUID: { type: 'string', format: 'uuid' },
  Base64: { type: 'string', contentEncoding: 'base64' },
  JSON: {},
  JSONObject: { type: 'object' },
}

const text: JsonSchema = { type: 'string' }

export const schemaOf = (scalar: string): JsonSchema =>
  Object.hasOwn(schemas, scalar) ? (schemas[scalar] ?? text) : text
