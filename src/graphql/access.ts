// Refuses a document for whose every root field the caller lacks credentials, before it is validated and prepared.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { AppError } from '../core/errors.ts'
import { withoutCredentials } from '../core/principal.ts'

/**
 * Throws `unauthenticated` when each operation asks only for fields that need credentials. A document that asks for
 * anything else is answered field by field.
 */
export function demandPublicField(schema: GraphQLSchema, { definitions }: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  const seen = new Set<SelectionSetNode>()
  let first: FieldNode | null = null

  function asksForOther({ operation, selectionSet }: OperationDefinitionNode): boolean {
    const fields = schema.getRootType(operation)?.getFields() ?? {}
    const isOther = (set: SelectionSetNode): boolean => {
      if (seen.has(set)) return false
      seen.add(set)
      return set.selections.some(selection => {
        if (selection.kind === Kind.INLINE_FRAGMENT) return isOther(selection.selectionSet)
        if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const fragment = fragments.get(selection.name.value)
          return fragment === undefined || isOther(fragment.selectionSet)
        }
        first ??= selection
        const access = fields[selection.name.value]?.extensions.access
        return access === undefined || access === 'public' || access === 'pay'
      })
    }
    return isOther(selectionSet)
  }

  if (operations.length === 0 || operations.some(asksForOther)) return
  const error = new AppError('unauthenticated', withoutCredentials)
  throw new GraphQLError(error.message, { path: pathOf(first), originalError: error })
}

const pathOf = (field: FieldNode | null): string[] => (field ? [(field.alias ?? field.name).value] : [])
