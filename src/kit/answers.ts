// What a field answers beyond its GraphQL type, as JSON Schema, for the description of REST: `extensions: { answer: hash32 }`.

/** A SHA-256 or a transaction id. */
export const hash32 = { pattern: '^0x[0-9a-f]{64}$' }
export const evmAddress = { pattern: '^0x[0-9a-f]{40}$' }
export const url = { format: 'uri' }
export const day = { format: 'date' }
/** A number of the database that may go beyond what JSON numbers hold exactly. */
export const serial = { pattern: '^[1-9][0-9]*$' }
/** Beyond 32 bits, so that GraphQL has only Float for it. */
export const wholeNumber = { type: 'integer' }
export const oneOf = (...values: [string, ...string[]]) => ({ enum: values })
