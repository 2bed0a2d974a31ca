// JSON Schema of field values beyond their GraphQL type, for the OpenAPI document: `extensions: { answer: serial }`.

/** A database number that may exceed what JSON numbers represent exactly. */
export const serial = { pattern: '^[1-9][0-9]*$' }
export const oneOf = (...values: [string, ...string[]]) => ({ enum: values })
