// Finds the arguments that each variable of an operation feeds, with their types, defaults and zod rules.
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { JsonSchema } from '../scalars.ts'
import { ruleAt, rulesOf } from './rules.ts'

type Place = {
  path: (string | number)[]
  type: GraphQLInputType
  definition: GraphQLArgument | GraphQLInputField | null
}

/** `root`: whether the argument belongs to the root field, whose input issues are located by `path`. */
export type Usage = Place & { variable: string; root: boolean; rule: JsonSchema | null }

function within(value: ValueNode, place: Place): (Place & { variable: string })[] {
  const type = getNullableType(place.type)
  if (value.kind === 'Variable') return [{ ...place, variable: value.name.value }]
  if (value.kind === 'ListValue' && isListType(type)) {
    return value.values.flatMap((item, index) =>
      within(item, { path: [...place.path, index], type: type.ofType, definition: null }),
    )
  }
  if (value.kind === 'ObjectValue' && isInputObjectType(type)) {
    return value.fields.flatMap(({ name, value: inner }) => {
      const definition = type.getFields()[name.value]
      return definition ? within(inner, { path: [...place.path, name.value], type: definition.type, definition }) : []
    })
  }
  return []
}

export function usagesOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Usage[] {
  const info = new TypeInfo(schema)
  const usages: Usage[] = []
  const root = schema.getRootType(operation.operation)
  visit(
    operation,
    visitWithTypeInfo(info, {
      Field(node) {
        const field = info.getFieldDef()
        const rules = field ? rulesOf(field) : null
        for (const { name, value } of node.arguments ?? []) {
          const definition = field?.args.find(arg => arg.name === name.value)
          if (!definition) continue
          for (const place of within(value, { path: [name.value], type: definition.type, definition })) {
            usages.push({ ...place, root: info.getParentType() === root, rule: ruleAt(rules, place.path) })
          }
        }
      },
    }),
  )
  return usages
}

/** Returns the default of an argument or input field as it would be written on the wire. */
export function defaultOf(definition: GraphQLArgument | GraphQLInputField | null): unknown {
  if (definition === null) return undefined
  if (definition.default?.literal) return valueFromASTUntyped(definition.default.literal)
  const value: unknown = definition.default?.value ?? definition.defaultValue
  const type = getNamedType(definition.type)
  if (!isEnumType(type)) return value
  return type.getValues().find(candidate => candidate.value === value)?.name ?? value
}
