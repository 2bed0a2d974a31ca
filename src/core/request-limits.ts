// How much one request may contain. The table of limits in docs/graphql.md has the same figures.

export type BodyLimits = { bytes: number; values: number }

/** The largest legitimate body has some hundred values. Each takes time to check and may produce an error message. */
export const bodyLimits: BodyLimits = { bytes: 256 * 1024, values: 2_500 }
/** `POST /graphql` with a key or session takes 500 payments with all their members. */
export const keyedBodyLimits: BodyLimits = { bytes: 512 * 1024, values: 6_500 }

/**
 * Counted with fragments written out, except for tokens. The introspection query that GraphiQL sends has 230 fields, is
 * 15 deep, and costs some 510; other clients ask for types of twelve levels.
 */
export const documentLimits = {
  tokens: 2_000,
  fields: 500,
  depth: 20,
  aliases: 100,
  aliasLength: 100,
  directives: 100,
  overlaps: 10_000,
  paidFields: 1,
  cost: 2_000,
}
