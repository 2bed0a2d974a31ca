// Computes the cost of an operation from its document, before it runs: a list multiplies the cost of its selection.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  type InlineFragmentNode,
  isCompositeType,
  isListType,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { declaredCost, entriesOf, isOpen, type ListSize, tariff } from './field-cost.ts'
import { introspectionSizes } from './introspection-sizes.ts'
import { searchCost } from './search-cost.ts'

export type OperationCost = {
  /** The cost of the whole operation, at least 1. */
  total: number
  /** The cost of each root field, by its response key. */
  roots: ReadonlyMap<string, number>
  /** Wallet signatures that the root fields check, also of those that @skip or @include leave out. */
  signatures: number
  /** Whether it writes, or asks for a paid field. */
  isWrite: boolean
  /** Whether the cost is the same for all values of the variables. */
  isConstant: boolean
}

type Values = Readonly<Record<string, unknown>>
/** Fields whose list sizes an argument of the parent field decides. */
type Sized = { fields: readonly string[]; entries: number }

/** Counts one operation of a valid and bounded document; `values` are its variables as the caller sent them. */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  name?: string,
  values: Values = {},
): OperationCost {
  const operation = getOperationAST(document, name)
  const root = operation && schema.getRootType(operation.operation)
  const roots = new Map<string, number>()
  if (!operation || !root) return { total: 1, roots, signatures: 0, isWrite: false, isConstant: true }
  const fragments = fragmentsOf(document)
  const introspection = introspectionSizes(schema)
  const defaults = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  )
  let isConstant = true
  /** Open lists around the field that is counted. */
  let openLists = 0

  function variable(name: string): unknown {
    isConstant = false
    const sent = values[name]
    const fallback = defaults.get(name)
    return sent === undefined && fallback ? valueFromASTUntyped(fallback) : sent
  }

  // A getter for each, because the cost depends only on the variables that are read.
  const variables = Object.defineProperties<Record<string, unknown>>(
    {},
    Object.fromEntries([...defaults.keys()].map(name => [name, { get: () => variable(name) }])),
  )

  const argumentsOf = (node: FieldNode): Record<string, unknown> =>
    Object.fromEntries(
      (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
    )

  /** Whether @skip and @include let the selection run. */
  function isIncluded({ directives = [] }: SelectionNode): boolean {
    return directives.every(({ name: { value: directive }, arguments: [condition] = [] }) => {
      if (condition === undefined || (directive !== 'skip' && directive !== 'include')) return true
      const { value } = condition
      const holds = value.kind === Kind.VARIABLE ? variable(value.name.value) : valueFromASTUntyped(value)
      return holds !== (directive === 'skip')
    })
  }

  function ofSelections(type: GraphQLCompositeType, { selections }: SelectionSetNode, sized?: Sized): number {
    let sum = 0
    for (const selection of selections) {
      const cost = ofSelection(type, selection, sized)
      if (isIncluded(selection)) sum += cost
    }
    return sum
  }

  function ofSelection(type: GraphQLCompositeType, selection: SelectionNode, sized?: Sized): number {
    if (selection.kind === Kind.FIELD) return ofField(type, selection, sized)
    const fragment = fragmentOf(selection)
    const condition = fragment?.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type
    return fragment && isCompositeType(condition) ? ofSelections(condition, fragment.selectionSet, sized) : 0
  }

  const fragmentOf = (selection: FragmentSpreadNode | InlineFragmentNode) =>
    selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)

  function ofField(parent: GraphQLCompositeType, node: FieldNode, sized?: Sized): number {
    const field = schema.getField(parent, node.name.value)
    if (!field) return 0
    const type = getNamedType(field.type)
    const { cost, costOfEntry, search, listSize = introspection.get(parent.name, field.name) } = declaredCost(field)
    const args = listSize?.slicingArguments.length || search ? argumentsOf(node) : {}
    const opens = listSize !== undefined && isOpen(listSize) ? 1 : 0
    const entries = listSize ? entriesOf(listSize, args, openLists > 0) : tariff.undeclaredEntries
    openLists += opens
    const inner =
      isCompositeType(type) && node.selectionSet ? ofSelections(type, node.selectionSet, sizedBy(listSize, entries)) : 0
    openLists -= opens
    const each = parent.name.startsWith('__')
      ? tariff.schemaEntry
      : isCompositeType(type)
        ? tariff.object
        : tariff.value
    const times = sized?.fields.includes(field.name)
      ? sized.entries
      : isListType(getNullableType(field.type)) || (listSize && listSize.sizedFields.length === 0)
        ? entries
        : 1
    return cost + costOfEntry * entries + (search ? searchCost(args, search) : 0) + times * (each + inner)
  }

  function* rootFields({ selections }: SelectionSetNode, areIncluded = true): Generator<[FieldNode, boolean]> {
    for (const selection of selections) {
      const isWanted = areIncluded && isIncluded(selection)
      if (selection.kind === Kind.FIELD) yield [selection, isWanted]
      else {
        const fragment = fragmentOf(selection)
        if (fragment) yield* rootFields(fragment.selectionSet, isWanted)
      }
    }
  }

  let signatures = 0
  let isWrite = operation.operation === OperationTypeNode.MUTATION
  for (const [node, isWanted] of rootFields(operation.selectionSet)) {
    const own = operation.operation === OperationTypeNode.MUTATION ? tariff.write : 0
    const cost = own + ofField(root, node)
    const field = schema.getField(root, node.name.value)
    if (field) signatures += declaredCost(field).signatures
    isWrite ||= field?.extensions.paid === true
    if (!isWanted) continue
    const key = (node.alias ?? node.name).value
    roots.set(key, (roots.get(key) ?? 0) + cost)
  }
  return { total: totalOf(roots), roots, signatures, isWrite, isConstant }
}

/** Returns the cost of a whole operation whose root fields cost this. */
export const totalOf = (roots: OperationCost['roots']): number =>
  Math.max(1, Math.ceil([...roots.values()].reduce((sum, cost) => sum + cost, 0)))

const sizedBy = (listSize: ListSize | undefined, entries: number): Sized | undefined =>
  listSize && listSize.sizedFields.length > 0 ? { fields: listSize.sizedFields, entries } : undefined

function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap(definition =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  )
}
