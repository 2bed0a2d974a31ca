// The JSON Schema of each GraphQL scalar on the wire.
import type { GraphQLLeafType } from 'graphql'
import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }

const builtIn: Record<string, JsonSchema> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
}

const declared = z.object({ json: z.record(z.string(), z.unknown()).default({ type: 'string' }) })

/** A scalar of this service declares its schema in its extensions; one that does not is a string. */
export const schemaOf = ({ name, extensions }: GraphQLLeafType): JsonSchema =>
  Object.hasOwn(builtIn, name) ? (builtIn[name] ?? {}) : declared.parse(extensions).json
