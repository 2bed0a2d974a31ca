// One paid field an operation: a request carries one payment, so a second field could only be refused after the first is paid.
import { GraphQLError, Kind, type SelectionSetNode, type ValidationContext, type ValidationRule } from 'graphql'

/** The response keys under which an operation asks for paid root fields; those of one key are one. */
function paidKeys(context: ValidationContext, { selections }: SelectionSetNode, paid: ReadonlySet<string>): string[] {
  const seen = new Set<string>()
  const keysIn = (nodes: SelectionSetNode['selections']): string[] =>
    nodes.flatMap(node => {
      if (node.kind === Kind.FIELD) return paid.has(node.name.value) ? [(node.alias ?? node.name).value] : []
      if (node.kind === Kind.INLINE_FRAGMENT) return keysIn(node.selectionSet.selections)
      const fragment = context.getFragment(node.name.value)
      // Another rule says that a fragment holds itself.
      if (!fragment || seen.has(node.name.value)) return []
      seen.add(node.name.value)
      return keysIn(fragment.selectionSet.selections)
    })
  return [...new Set(keysIn(selections))]
}

export const onePaidField: ValidationRule = context => ({
  OperationDefinition(operation) {
    const root = context.getSchema().getRootType(operation.operation)
    const fields = Object.values(root?.getFields() ?? {})
    const paid = new Set(fields.filter(({ extensions }) => extensions.paid === true).map(({ name }) => name))
    if (paidKeys(context, operation.selectionSet, paid).length <= 1) return
    const message = 'One paid field an operation: each needs a payment of its own.'
    context.reportError(new GraphQLError(message, { nodes: operation }))
  },
})
