// Allows one paid field per operation: a request carries one payment, so a second paid field could only be refused
// after the first is paid.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql'

type FragmentOf = (name: string) => FragmentDefinitionNode | null | undefined

/** Returns the response keys under which an operation selects paid root fields; fields with the same key count once. */
function paidKeys(schema: GraphQLSchema, operation: OperationDefinitionNode, fragmentOf: FragmentOf): Set<string> {
  const fields = Object.values(schema.getRootType(operation.operation)?.getFields() ?? {})
  const paid = new Set(fields.filter(({ extensions }) => extensions.paid === true).map(({ name }) => name))
  const seen = new Set<string>()
  const keysIn = ({ selections }: SelectionSetNode): string[] =>
    selections.flatMap(node => {
      if (node.kind === Kind.FIELD) return paid.has(node.name.value) ? [(node.alias ?? node.name).value] : []
      if (node.kind === Kind.INLINE_FRAGMENT) return keysIn(node.selectionSet)
      const fragment = fragmentOf(node.name.value)
      // Another rule reports a fragment that spreads itself.
      if (!fragment || seen.has(node.name.value)) return []
      seen.add(node.name.value)
      return keysIn(fragment.selectionSet)
    })
  return new Set(keysIn(operation.selectionSet))
}

export const onePaidField: ValidationRule = context => ({
  OperationDefinition(operation) {
    if (paidKeys(context.getSchema(), operation, name => context.getFragment(name)).size <= 1) return
    const message = 'One paid field an operation: each needs a payment of its own.'
    context.reportError(new GraphQLError(message, { nodes: operation }))
  },
})

export function asksForPaidField(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): boolean {
  const fragments = definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
  const fragmentOf: FragmentOf = wanted => fragments.find(({ name }) => name.value === wanted)
  return paidKeys(schema, operation, fragmentOf).size > 0
}
