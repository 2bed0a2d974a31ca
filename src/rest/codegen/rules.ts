// The zod rules of a field's arguments as JSON Schema, and how to find the rule of one argument.
import type { GraphQLField } from 'graphql'
import { z } from 'zod'
import type { JsonSchema } from '../scalars.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** `field.extensions.input` is a zod object over the arguments of the field. */
export function rulesOf(field: GraphQLField<unknown, unknown>): JsonSchema | null {
  const { input } = field.extensions
  return input instanceof z.ZodType ? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) : null
}

const choices = (rule: unknown): unknown[] => (isRecord(rule) && Array.isArray(rule.anyOf) ? rule.anyOf : [])
// For a nullable plain type zod writes the null into `type`.
const isNull = (rule: unknown) => isRecord(rule) && [rule.type].flat().includes('null')

/** Whether null is accepted; a value without a rule accepts null. */
export const allowsNull = (rule: JsonSchema | null): boolean =>
  rule === null || Object.keys(rule).every(key => key === 'graphql') || choices(rule).some(isNull) || isNull(rule)

/** Returns the rule without its null alternative, and with the keywords beside that, such as a default. */
function beyondNull(rule: unknown): JsonSchema | null {
  if (!isRecord(rule)) return null
  const others = choices(rule).filter(choice => !isNull(choice))
  const only = others[0]
  if (others.length !== 1 || !isRecord(only)) return rule
  const { anyOf: _, ...beside } = rule
  return { ...beyondNull(only), ...beside }
}

/** The rule of a member of an input object, or of the items of a list. */
export function ruleWithin(rule: JsonSchema | null, key: string | number): JsonSchema | null {
  const outer = beyondNull(rule)
  if (outer === null) return null
  const inner = typeof key === 'number' ? outer.items : isRecord(outer.properties) ? outer.properties[key] : undefined
  return isRecord(inner) ? inner : null
}

export const ruleAt = (rule: JsonSchema | null, path: readonly (string | number)[]): JsonSchema | null =>
  path.reduce(ruleWithin, rule)

const kept = [
  ...['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'default', 'examples'],
  ...['enum', 'anyOf', 'minProperties'],
]
const boundless = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

/** Returns the keywords that a rule adds to the schema of the GraphQL type. */
export function constraintsOf(rule: JsonSchema | null): JsonSchema {
  const entries = Object.entries(beyondNull(rule) ?? {})
  return Object.fromEntries(
    entries.filter(([key, value]) => kept.includes(key) && !boundless.some(bound => bound === value)),
  )
}

/** Whether the member of an input object has all members of the body without a name of their own. */
export const takesOthers = (rule: JsonSchema | null): boolean => beyondNull(rule)?.takesOthers === true

export const formatOf = (rule: JsonSchema | null): unknown => beyondNull(rule)?.format
