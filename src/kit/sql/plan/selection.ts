// Collects the fields that an operation asks of an object, as graphql-js does.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  GraphQLObjectType,
  type GraphQLOutputType,
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
import { objectOf, type Piece } from '../write/pieces.ts'
import { NotInSql } from '../write/statement.ts'

type VariableValues = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>
export type Document = {
  schema: GraphQLSchema
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  variables: VariableValues
}
/** The places of a selection that ask for one field under one response key. */
export type Nodes = readonly [FieldNode, ...FieldNode[]]
/** By the response key. */
type Fields = ReadonlyMap<string, Nodes>

export function fieldsOf(document: Document, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Fields {
  const found = new Map<string, [FieldNode, ...FieldNode[]]>()
  const spread = new Set<string>()
  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (selection.directives?.length && !isIncluded(document, selection)) continue
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

type Member = GraphQLField<unknown, unknown>

/** Returns the pieces of an object of the type, with the members that are selected. */
export const objectFrom = (
  document: Document,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  write: (field: Member, nodes: Nodes) => Piece[],
): Piece[] =>
  objectOf(
    [...fieldsOf(document, type, selectionsOf(nodes))].map(([key, nodes]) => {
      const name = nodes[0].name.value
      if (name === '__typename') return [key, [JSON.stringify(type.name)]]
      const field = type.getFields()[name]
      if (!field) throw new NotInSql(`${type.name}.${name}`)
      return [key, write(field, nodes)]
    }),
  )

/** Returns the type of the objects of a field. */
export function objectTypeOf({ name, type }: Member): GraphQLObjectType {
  const named = getNamedType(type)
  if (!(named instanceof GraphQLObjectType)) throw new NotInSql(name)
  return named
}

/** Returns the names of the fields that are selected on the objects to which a path of fields leads. */
export type SelectedAt = (...path: string[]) => Set<string>

export const selectedAt =
  (document: Document, type: GraphQLOutputType, nodes: readonly FieldNode[]): SelectedAt =>
  (...path) => {
    let [at, sets]: [unknown, SelectionSetNode[]] = [getNamedType(type), selectionsOf(nodes)]
    for (const name of path) {
      if (!(at instanceof GraphQLObjectType)) return new Set()
      const inner = [...fieldsOf(document, at, sets).values()].flat().filter(node => node.name.value === name)
      ;[at, sets] = [getNamedType(at.getFields()[name]?.type), selectionsOf(inner)]
    }
    if (!(at instanceof GraphQLObjectType)) return new Set()
    return new Set([...fieldsOf(document, at, sets).values()].map(([node]) => node.name.value))
  }

/** The same of the objects that a resolver returns. */
export const selectedIn = ({
  schema,
  fragments,
  variableValues,
  returnType,
  fieldNodes,
}: GraphQLResolveInfo): SelectedAt =>
  selectedAt(
    { schema, fragments: new Map(Object.entries(fragments)), variables: variableValues },
    returnType,
    fieldNodes,
  )

function isIncluded({ variables }: Document, selection: SelectionNode): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false
}

function fits(schema: GraphQLSchema, type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}
