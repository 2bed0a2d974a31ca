// Computes the cost of an operation as a client does: from schema.graphql alone, by the rules that its directives
// state.
import {
  buildSchema,
  type ConstDirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'

type Args = Record<string, unknown>
type Node = { directives?: readonly ConstDirectiveNode[] | undefined }

function argumentsIn(node: Node | null | undefined, name: string): Args | null {
  const directive = node?.directives?.find(({ name: { value } }) => value === name)
  if (!directive) return null
  return Object.fromEntries((directive.arguments ?? []).map(arg => [arg.name.value, valueFromASTUntyped(arg.value)]))
}
const weightOf = (node: Node | null | undefined): number => Number(argumentsIn(node, 'cost')?.weight ?? 0)

/** Returns a function that computes the cost of an operation. `sdl`: the text of schema.graphql. */
export function tariffOf(sdl: string): (source: string, variables?: Args) => number {
  const schema = buildSchema(sdl)

  return (source, variables = {}) => {
    const { definitions } = parse(source)
    const operation = definitions.find(
      (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
    )
    const root = operation && schema.getRootType(operation.operation)
    if (!operation || !root) throw new Error('no operation')
    const fragments = new Map(
      definitions
        .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
        .map(fragment => [fragment.name.value, fragment]),
    )

    function ofSelections(type: GraphQLCompositeType, set: SelectionSetNode, open: number, sized: Args | null): number {
      let sum = 0
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) sum += ofField(type, selection, open, sized)
        else {
          const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
          const on = fragment?.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type
          if (fragment && isCompositeType(on)) sum += ofSelections(on, fragment.selectionSet, open, sized)
        }
      }
      return sum
    }

    function ofField(parent: GraphQLCompositeType, node: FieldNode, open: number, sized: Args | null): number {
      const field = schema.getField(parent, node.name.value)
      if (!field) throw new Error(`no field ${node.name.value}`)
      const type = getNamedType(field.type)
      const args = Object.fromEntries(
        (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
      )
      const size = argumentsIn(field.astNode, 'listSize')
      const isOpen = size !== null && size.slicingArguments === undefined
      const entries = size ? entriesOf(size, args, open) : 10
      const named = size?.sizedFields ? { fields: size.sizedFields, entries } : null
      const inner =
        isCompositeType(type) && node.selectionSet
          ? ofSelections(type, node.selectionSet, open + (isOpen ? 1 : 0), named)
          : 0
      const isList = isListType(getNullableType(field.type))
      const fields = (sized?.fields ?? []) as string[]
      const times = fields.includes(field.name) ? Number(sized?.entries) : isList || (size && !named) ? entries : 1
      const own = weightOf(field.astNode) + ofFilter(field, args) + ofEntries(field, size, entries)
      return own + times * ((isCompositeType(type) ? 0.2 : 0.02) + inner)
    }

    return Math.max(1, Math.ceil(Number(ofSelections(root, operation.selectionSet, 0, null).toFixed(6))))
  }
}

function entriesOf({ assumedSize, slicingArguments, maximum }: Args, args: Args, open: number): number {
  if (slicingArguments === undefined && open > 0) return Number(maximum)
  const sizes = (slicingArguments as string[] | undefined)?.flatMap(name => {
    const value = valueAt(name, args)
    if (Array.isArray(value)) return [Math.max(1, value.length)]
    return typeof value === 'number' && value >= 0 ? [Math.max(1, value)] : []
  })
  return Math.min(sizes?.length ? Math.max(...sizes) : Number(assumedSize), Number(maximum))
}

const valueAt = (path: string, args: Args): unknown => {
  const [name = '', member] = path.split('.')
  return member === undefined ? args[name] : (Object(args[name]) as Args)[member]
}

/** Returns what the entries cost that a mutation of many writes. */
function ofEntries({ args: declared }: GraphQLField<unknown, unknown>, size: Args | null, entries: number): number {
  const paths = ((size?.slicingArguments ?? []) as string[]).filter(path => path.includes('.'))
  return paths.reduce((sum, path) => {
    const [name, member = ''] = path.split('.')
    const type = getNamedType(declared.find(arg => arg.name === name)?.type)
    return sum + (isInputObjectType(type) ? weightOf(type.getFields()[member]?.astNode) * entries : 0)
  }, 0)
}

// In each list, the column of the usual order is the time of its entries.
const usualOrders: Args = { PaymentFilter: 'verifiedAt' }

function ofFilter({ args: declared }: GraphQLField<unknown, unknown>, { filter, orderBy }: Args): number {
  const argument = declared.find(({ name }) => name === 'filter')
  if (!argument || weightOf(argument.astNode) === 0) return 0
  const type = getNamedType(argument.type)
  if (!isInputObjectType(type)) return 0
  const { field } = Object(orderBy) as Args
  const usual = usualOrders[type.name] ?? 'createdAt'
  const order = typeof field === 'string' ? field.toLowerCase().replace(/_at$/, 'At') : usual
  const conditions = Object.entries(Object(filter) as Args).filter(
    ([name, value]) =>
      (Array.isArray(value) ||
        Object.values(Object(value ?? {})).some(one => one != null) ||
        Object(value) !== value) &&
      value != null &&
      name !== order,
  )
  const isSearch = conditions.length + (order === usual ? 0 : 1) > 1
  return conditions.reduce(
    (sum, [name, value]) =>
      sum + weightOf(type.getFields()[name]?.astNode) + (Array.isArray(value) ? Math.max(0, value.length - 1) : 0),
    isSearch ? weightOf(argument.astNode) : 0,
  )
}
