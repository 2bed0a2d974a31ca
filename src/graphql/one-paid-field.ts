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
import { documentLimits } from '../core/request-limits.ts'

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
    const { size: actual } = paidKeys(context.getSchema(), operation, name => context.getFragment(name))
    const maximum = documentLimits.paidFields
    if (actual <= maximum) return
    const message = `One paid field an operation: this one has ${actual}, and each needs a payment of its own. Send each in a request of its own.`
    const extensions = { code: 'invalid_graphql', limit: 'paidFields', maximum, actual }
    context.reportError(new GraphQLError(message, { nodes: operation, extensions }))
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
