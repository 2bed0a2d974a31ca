// Collects the fields that an operation asks of an object, as graphql-js does.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  type getVariableValues,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

export type VariableValues = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>
export type Document = {
  schema: GraphQLSchema
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  variables: VariableValues
}
/** The places of a selection that ask for one field under one response key. */
export type Nodes = readonly [FieldNode, ...FieldNode[]]
/** By the response key. */
export type Fields = ReadonlyMap<string, Nodes>

export function fieldsOf(document: Document, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Fields {
  const found = new Map<string, [FieldNode, ...FieldNode[]]>()
  const spread = new Set<string>()
  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (selection.directives?.length && !isAsked(document, selection)) continue
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value
        const present = found.get(key)
        if (present) present.push(selection)
        else found.set(key, [selection])
        continue
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentOnce(selection.name.value)
      if (fragment && fits(document.schema, type, fragment.typeCondition?.name.value))
        collect(fragment.selectionSet.selections)
    }
  }
  const fragmentOnce = (name: string) => {
    if (spread.has(name)) return undefined
    spread.add(name)
    return document.fragments.get(name)
  }
  for (const { selections } of sets) collect(selections)
  return found
}

export const selectionsOf = (nodes: readonly FieldNode[]): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []))

/** Whether the request selects a field of this name on the objects that the resolver returns. */
export function selects(info: GraphQLResolveInfo, name: string): boolean {
  const { schema, variableValues: variables, returnType, fieldNodes } = info
  const type = getNamedType(returnType)
  if (!(type instanceof GraphQLObjectType)) return false
  const fragments = new Map(Object.entries(info.fragments))
  const fields = fieldsOf({ schema, fragments, variables }, type, selectionsOf(fieldNodes))
  return [...fields.values()].some(([node]) => node.name.value === name)
}

function isAsked({ variables }: Document, selection: SelectionNode): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false
}

function fits(schema: GraphQLSchema, type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}
