// The documented request of each route (rest/examples.json), as a request and as variables of the route's operation.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  parseType,
  TypeInfo,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import told from '../../rest/examples.json' with { type: 'json' }
import { enumNameOf } from '../../src/core/enum-name.ts'
import { schema } from '../../src/graphql/schema.ts'
import { operationId } from '../../src/rest/codegen/checks.ts'
import { examplesForm } from '../../src/rest/codegen/examples.ts'
import type { WireIssue } from '../../src/rest/faults.ts'
import { jsonReader } from '../../src/rest/input.ts'
import { hasBody } from '../../src/rest/request.ts'
import type { Route } from '../../src/rest/route.ts'
import { textReader } from '../../src/rest/text-input.ts'

const examples = examplesForm.parse(told)

/** Ids of objects that exist in the test, by the wire names of members that the ids replace. */
export type ExampleIds = Readonly<Record<string, string>>

type Values = Record<string, unknown>
type Example = { path: Values; query: Values; body: unknown }

export function exampleOf({ name }: Route, ids: ExampleIds): Example {
  const request = examples[operationId(name)]?.request
  if (request === undefined) throw new Error(`${name} has no example`)
  const withIds = (values: Values): Values =>
    Object.fromEntries(Object.entries(values).map(([member, value]) => [member, ids[member] ?? value]))
  const { path = {}, query = {}, body } = request
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return { path: withIds(path), query: withIds(query), body: isObject ? withIds({ ...body }) : body }
}

export type Wire = { method: string; path: string; body: string | null }

export function requestOf(route: Route, ids: ExampleIds): Wire {
  const { path, query, body } = exampleOf(route, ids)
  const place = route.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(String(path[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return {
    method: route.method,
    path: search.size > 0 ? `${place}?${search}` : place,
    body: hasBody(route) ? JSON.stringify(body ?? {}) : null,
  }
}

/** Returns the variables of `operationOf(route)`. The ids replace valid ones, so they may be malformed. */
export function variablesOf(route: Route, ids: ExampleIds): Values {
  const { body, ...texts } = exampleOf(route, {})
  const types = typesOf(documentOf(route))
  const issues: WireIssue[] = []
  const variables: Values = {}
  for (const { variable, name, in: place, whole, type } of route.params) {
    if (place === 'header') continue
    const value = place !== 'body' ? texts[place][name] : whole ? body : Object(body)[name]
    if (value === undefined) continue
    const read = place === 'body' ? jsonReader(type, schema) : textReader(type, schema)
    const accepted = read(place === 'body' ? value : String(value), [], issues)
    variables[variable] = ids[name] ?? withEnumNames(accepted, types.get(variable))
  }
  if (issues.length > 0) throw new Error(`the example of ${route.name} is refused: ${JSON.stringify(issues)}`)
  return variables
}

/** Returns the value with the names that enum values have in GraphQL. */
function withEnumNames(value: unknown, type: GraphQLInputType | undefined): unknown {
  if (isNonNullType(type)) return withEnumNames(value, type.ofType)
  if (isListType(type)) return Array.isArray(value) ? value.map(item => withEnumNames(item, type.ofType)) : value
  if (isEnumType(type)) return typeof value === 'string' ? enumNameOf(value) : value
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null) return value
  const fields = type.getFields()
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withEnumNames(member, fields[name]?.type)]),
  )
}

/** Returns the types of the places where the document uses its variables. */
function typesOf(document: DocumentNode): Map<string, GraphQLInputType> {
  const types = new Map<string, GraphQLInputType>()
  const info = new TypeInfo(schema)
  const visitor = {
    VariableDefinition: () => false,
    Variable({ name }: VariableNode) {
      const type = info.getInputType()
      if (type) types.set(name.value, type)
    },
  }
  visit(document, visitWithTypeInfo(info, visitor))
  return types
}

const documentOf = ({ document }: Route) => parse(document)

/** Returns the route's operation in the schema of GraphQL, where variables are enums that are texts over REST. */
export function operationOf(route: Route): OperationDefinitionNode {
  const document = documentOf(route)
  const types = typesOf(document)
  const operation = document.definitions.find(definition => definition.kind === Kind.OPERATION_DEFINITION)
  if (operation === undefined) throw new Error('no operation')
  return visit(operation, {
    VariableDefinition(definition) {
      const type = types.get(definition.variable.name.value)
      return isEnumType(getNamedType(type)) ? { ...definition, type: parseType(String(type)) } : undefined
    },
  })
}

export function rootOf(operation: OperationDefinitionNode): FieldNode {
  const [root] = operation.selectionSet.selections
  if (root?.kind !== Kind.FIELD) throw new Error('no root field')
  return root
}
