// Reads @page: a root field that is a connection and is paged by number or by offset.
import { type FieldNode, Kind, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import { z } from 'zod'
import { cursorVariable, pageRules } from '../page.ts'
import type { Page } from '../route.ts'
import type { JsonSchema } from '../scalars.ts'
import { annotated } from './annotation.ts'
import type { Report } from './mistakes.ts'

type Role = keyof typeof pageRules
const roles = ['number', 'offset', 'size'] as const satisfies readonly Role[]

export type Paged = {
  /** The operation as it is executed: the connection gets its size and cursor. */
  operation: OperationDefinitionNode
  page: Page | null
  /** The rules of the variables that page. */
  rules: ReadonlyMap<string, JsonSchema>
}

const named = (value: string) => ({ kind: Kind.NAME, value }) as const
const argument = (name: string, variable: string) =>
  ({ kind: Kind.ARGUMENT, name: named(name), value: { kind: Kind.VARIABLE, name: named(variable) } }) as const

/** Requires a valid document. */
export function pagedOf(operation: OperationDefinitionNode, report: Report): Paged {
  const [root] = operation.selectionSet.selections
  const directive = root && annotated(root, 'page')
  if (root?.kind !== 'Field' || !directive) return { operation, page: null, rules: new Map() }
  const variables = new Map<Role, string>()
  for (const { name, value } of directive.arguments ?? []) {
    const role = roles.find(known => known === name.value)
    if (role && value.kind === 'Variable') variables.set(role, value.name.value)
    else report(value, '@page takes variables.')
  }
  const size = variables.get('size') ?? ''
  const defaults: Record<string, number> = {}
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    if (![...variables.values()].includes(name)) continue
    if (defaultValue) defaults[name] = Number(valueFromASTUntyped(defaultValue))
    else report(variable, `$${name} needs a default.`)
  }
  const [number, offset] = [variables.get('number'), variables.get('offset')]
  return {
    operation: executed(operation, root, size, [number, offset]),
    page: { ...(number && { number }), ...(offset && { offset }), size, defaults, in: 'query' },
    rules: new Map([...variables].map(([role, name]) => [name, z.toJSONSchema(pageRules[role], { io: 'input' })])),
  }
}

function executed(
  operation: OperationDefinitionNode,
  root: FieldNode,
  size: string,
  unused: readonly (string | undefined)[],
): OperationDefinitionNode {
  const cursor = {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: named(cursorVariable) },
    type: { kind: Kind.NAMED_TYPE, name: named('String') },
  } as const
  const definitions = operation.variableDefinitions?.filter(({ variable }) => !unused.includes(variable.name.value))
  const field = {
    ...root,
    arguments: [...(root.arguments ?? []), argument('first', size), argument('after', cursorVariable)],
    directives: root.directives?.filter(({ name }) => name.value !== 'page') ?? [],
  }
  return {
    ...operation,
    variableDefinitions: [...(definitions ?? []), cursor],
    selectionSet: { ...operation.selectionSet, selections: [field] },
  }
}
