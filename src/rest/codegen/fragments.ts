// Rewrites an operation: first without named fragments, then as the document to execute, in wire names.
import {
  type ConstValueNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { snakeCase } from '../names.ts'
import { nameArgument } from './annotation.ts'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Inlines each fragment where it is spread. Only for a valid document: fragments are known and have no cycles. */
export function withoutFragments<Node extends OperationDefinitionNode | SelectionSetNode>(
  node: Node,
  fragments: Fragments,
): Node {
  return visit(node, {
    FragmentSpread(spread) {
      const fragment = fragments.get(spread.name.value)
      if (!fragment) return undefined
      const { typeCondition, selectionSet } = fragment
      return {
        kind: Kind.INLINE_FRAGMENT,
        typeCondition,
        directives: spread.directives,
        selectionSet: withoutFragments(selectionSet, fragments),
        loc: spread.loc,
      }
    },
  })
}

/** Selects every field under its wire name, and once more under its older name if it has one. Keeps annotations. */
export function inWireNames(operation: OperationDefinitionNode): OperationDefinitionNode {
  return visit(operation, {
    Field: {
      leave: node => {
        const value = snakeCase(node.name.value)
        if (node.alias || value === node.name.value || node.name.value.startsWith('__')) return undefined
        return aliased(node, value)
      },
    },
    SelectionSet: { leave: node => ({ ...node, selections: node.selections.flatMap(withOlderName) }) },
  })
}

const aliased = (node: FieldNode, value: string): FieldNode => ({
  ...node,
  alias: { kind: Kind.NAME, value, loc: node.name.loc },
})

function withOlderName(node: SelectionNode): SelectionNode[] {
  const older = node.kind === 'Field' ? nameArgument(node, 'olderName') : null
  if (node.kind !== 'Field' || older === null) return [node]
  const directives = node.directives?.filter(({ name }) => name.value !== 'olderName')
  return [{ ...node, directives }, aliased(node, older.value)]
}

const annotations = new Set([
  ...['rest', 'tool', 'header', 'query', 'body', 'schema', 'described', 'eventId', 'sparse', 'olderName'],
  ...['flatten', 'constant', 'echo', 'page', 'single', 'plain'],
])

/**
 * Prints the operation for the plain schema, without annotations and descriptions. `defaults`: those of the arguments
 * that variables feed; the variables receive them, because not every engine uses an argument's own default.
 */
export const documentText = (
  operation: OperationDefinitionNode,
  defaults: ReadonlyMap<string, ConstValueNode>,
): string =>
  print(
    visit(operation, {
      Directive: node => (annotations.has(node.name.value) ? null : undefined),
      VariableDefinition: {
        leave: node => ({
          ...node,
          description: undefined,
          defaultValue: node.defaultValue ?? defaults.get(node.variable.name.value),
        }),
      },
      OperationDefinition: { leave: node => ({ ...node, description: undefined }) },
    }),
  )
