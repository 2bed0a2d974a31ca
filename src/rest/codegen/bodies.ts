// The OpenAPI schemas of requests: parameters and bodies, with the zod rules of the fields they feed.
import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql'
import { snakeCase } from '../names.ts'
import { type JsonSchema, schemaOf } from '../scalars.ts'
import { listOf } from './code-lists.ts'
import type { ParamPlan } from './param-plan.ts'
import { olderNameOf, orNull } from './responses.ts'
import { allowsNull, constraintsOf, ruleWithin, takesOthers } from './rules.ts'
import { defaultOf } from './usages.ts'

type Place = {
  type: GraphQLInputType
  nullable: boolean
  rule: JsonSchema | null
  description: string | null
  default: unknown
}

const byWireName = (a: { name: string }, b: { name: string }) => (snakeCase(a.name) < snakeCase(b.name) ? -1 : 1)

function ofType(type: GraphQLInputType, rule: JsonSchema | null): JsonSchema {
  const inner = getNullableType(type)
  if (isListType(inner)) {
    const items = { type: inner.ofType, nullable: !isNonNullType(inner.ofType), rule: ruleWithin(rule, 0) }
    return { type: 'array', items: valueSchema({ ...items, description: null, default: undefined }) }
  }
  if (isEnumType(inner)) return { type: 'string', enum: inner.getValues().map(value => value.name) }
  if (!isInputObjectType(inner)) return schemaOf(inner)
  const all = Object.values(inner.getFields()).toSorted(byWireName)
  const fields = all.filter(({ name }) => !takesOthers(ruleWithin(rule, name)))
  const schema = objectSchema(
    fields.map(field => ({
      name: snakeCase(field.name),
      required: isRequiredInputField(field),
      type: field.type,
      nullable: !isNonNullType(field.type),
      rule: ruleWithin(rule, field.name),
      description: field.description ?? null,
      default: defaultOf(field),
    })),
  )
  return fields.length < all.length ? { ...schema, additionalProperties: true } : schema
}

function objectSchema(
  fields: readonly (Place & { name: string; olderName?: string; required: boolean })[],
): JsonSchema {
  const needed = fields.filter(field => field.required)
  const required = needed.flatMap(({ name, olderName }) => (olderName === undefined ? [name] : []))
  const eitherName = needed.flatMap(({ olderName, ...field }) => {
    if (olderName === undefined) return []
    const { type } = valueSchema(field)
    return [{ anyOf: [field.name, olderName].map(name => ({ required: [name], properties: { [name]: { type } } })) }]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(fields.flatMap(propertiesOf)),
    ...(required.length > 0 ? { required } : {}),
    ...(eitherName.length > 0 ? { allOf: eitherName } : {}),
    additionalProperties: false,
  }
}

function propertiesOf(field: Place & { name: string; olderName?: string }): [string, JsonSchema][] {
  if (field.olderName === undefined) return [[field.name, valueSchema(field)]]
  // Either name may be null when the other has the value.
  const schema = field.nullable && allowsNull(field.rule) ? valueSchema(field) : orNull(valueSchema(field))
  return [
    [field.name, schema],
    [field.olderName, { ...schema, ...olderNameOf(field.name) }],
  ]
}

function valueSchema({ type, nullable, rule, description, default: preset }: Place): JsonSchema {
  const { default: ruled, ...constraints } = constraintsOf(rule)
  const { format, ...plain } = ofType(type, rule)
  // A pattern says what the rule accepts, which may be more than the format of the type.
  const typed = constraints.pattern === undefined && format !== undefined ? { ...plain, format } : plain
  // Each alternative of an `anyOf` states its own type.
  const schema = constraints.anyOf ? constraints : { ...without(typed, constraints), ...constraints }
  const isNullable = nullable && allowsNull(rule)
  // Generators make an enum without null of an inline enum with a default; the description says the default.
  const value = isNullable && 'enum' in schema ? undefined : (preset ?? ruled)
  return {
    ...(isNullable ? orNull(schema) : schema),
    ...(value === undefined || value === null ? {} : { default: value }),
    ...(description ? { description } : {}),
    ...listOf(description),
  }
}

const without = (schema: JsonSchema, others: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !Object.hasOwn(others, key)))

const placeOf = (param: ParamPlan) => ({ ...param, type: param.graphqlType, nullable: param.type.nullable })

/** Never nullable, because text has no null: a parameter that is not sent is absent. */
export function parameterOf(param: ParamPlan): JsonSchema {
  const schema = {
    ...valueSchema({ ...placeOf(param), nullable: false, description: null }),
    ...listOf(param.description),
  }
  return {
    name: param.header ?? param.name,
    in: param.in,
    required: param.required,
    ...(param.description ? { description: param.description } : {}),
    schema,
  }
}

export function bodyOf(params: readonly ParamPlan[]): JsonSchema {
  const whole = params.find(param => param.whole)
  return whole ? valueSchema(placeOf(whole)) : objectSchema(params.map(placeOf))
}
