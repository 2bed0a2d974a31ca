// The documented request of each route (rest/examples.json), as a request and as variables of the route's operation.
import { type FieldNode, Kind, type OperationDefinitionNode, parse } from 'graphql'
import told from '../../rest/examples.json' with { type: 'json' }
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

/** Returns the variables that the request stands for. The ids replace valid ones, so they may be malformed. */
export function variablesOf(route: Route, ids: ExampleIds): Values {
  const { body, ...texts } = exampleOf(route, {})
  const issues: WireIssue[] = []
  const variables: Values = {}
  for (const { variable, name, in: place, whole, type } of route.params) {
    if (place === 'header') continue
    const value = place !== 'body' ? texts[place][name] : whole ? body : Object(body)[name]
    if (value === undefined) continue
    const read = place === 'body' ? jsonReader(type, schema) : textReader(type, schema)
    variables[variable] = ids[name] ?? read(place === 'body' ? value : String(value), [], issues)
  }
  if (issues.length > 0) throw new Error(`the example of ${route.name} is refused: ${JSON.stringify(issues)}`)
  return variables
}

export function operationOf({ document }: Route): OperationDefinitionNode {
  const operation = parse(document).definitions.find(definition => definition.kind === Kind.OPERATION_DEFINITION)
  if (operation === undefined) throw new Error('no operation')
  return operation
}

export function rootOf(operation: OperationDefinitionNode): FieldNode {
  const [root] = operation.selectionSet.selections
  if (root?.kind !== Kind.FIELD) throw new Error('no root field')
  return root
}
