// JSON Schema of field values beyond their GraphQL type, for the OpenAPI document: `extensions: { answer: hash32 }`.

/** A SHA-256 or a transaction id. */
export const hash32 = { pattern: '^0x[0-9a-f]{64}$' }
export const evmAddress = { pattern: '^0x[0-9a-f]{40}$' }
export const url = { format: 'uri' }
export const day = { format: 'date' }
/** A database number that may exceed what JSON numbers represent exactly. */
export const serial = { pattern: '^[1-9][0-9]*$' }
/** An integer beyond 32 bits, for which GraphQL has only Float. */
export const wholeNumber = { type: 'integer' }
export const oneOf = (...values: [string, ...string[]]) => ({ enum: values })
