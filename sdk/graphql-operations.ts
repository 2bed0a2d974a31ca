// Reads sdk/operations.graphql: for each operation its document, and the JSON Schemas of its variables and its answer, as
// the generators of the clients read them.
import { readFile } from 'node:fs/promises'
import {
  extendSchema,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  stripIgnoredCharacters,
  typeFromAST,
  validate,
} from 'graphql'
import type { GraphqlOperations } from '../src/modules/sdk/description.ts'
import { schemaOf } from '../src/rest/scalars.ts'

type Schema = Record<string, unknown>

const file = 'sdk/operations.graphql'
const annotation = 'directive @in(family: String!) on QUERY | MUTATION'

export async function graphqlOperations(base: GraphQLSchema): Promise<GraphqlOperations> {
  const schema = extendSchema(base, parse(annotation))
  const document = parse(await readFile(file, 'utf8'))
  const [fault] = validate(schema, document)
  if (fault) throw new Error(`${file}: ${fault.toString()}`)
  const fragments = new Map(
    document.definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION).map(one => [one.name.value, one]),
  )
  const operations = document.definitions
    .filter(one => one.kind === Kind.OPERATION_DEFINITION)
    .map(one => operationOf(schema, one, fragments))
  const schemas = Object.fromEntries(
    [...fragments].map(([name, { typeCondition, selectionSet }]) => {
      const type = schema.getType(typeCondition.name.value)
      if (!isObjectType(type)) throw new Error(`${file}: ${name} is not of an object type`)
      return [name, objectOf(schema, type, selectionSet)]
    }),
  )
  return { operations, schemas }
}

function operationOf(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): GraphqlOperations['operations'][number] {
  const variables = (node.variableDefinitions ?? []).map(({ variable, type }) => {
    const found = typeFromAST(schema, type as never) as GraphQLInputType
    return { name: variable.name.value, schema: inputOf(found), required: isNonNullType(found) }
  })
  const settable = variables.filter(({ name, required }) => !(required && name.endsWith('_id')))
  const { path, answer } = answerOf(schema, node)
  const family = node.directives?.[0]?.arguments?.[0]?.value
  if (!node.name || family?.kind !== Kind.STRING) throw new Error(`${file}: an operation has no name or family`)
  const used = usedIn(node.selectionSet, fragments)
  const sent = { ...node, directives: [], description: undefined }
  return {
    name: node.name.value,
    family: family.value,
    summary: node.description?.value ?? '',
    isWrite: node.operation === 'mutation',
    document: stripIgnoredCharacters([sent, ...used].map(one => print(one)).join(' ')),
    path,
    ids: variables.filter(one => !settable.includes(one)).map(({ name }) => name),
    variables: {
      type: 'object',
      properties: Object.fromEntries(settable.map(({ name, schema }) => [name, schema])),
      required: settable.filter(({ required }) => required).map(({ name }) => name),
    },
    answer,
  }
}

/** Steps over fields that contain one object and nothing else, as the methods do. */
function answerOf(schema: GraphQLSchema, { operation, selectionSet }: OperationDefinitionNode) {
  const path: string[] = []
  let type: GraphQLOutputType | undefined = schema.getRootType(operation) ?? undefined
  let selection: SelectionSetNode = selectionSet
  for (;;) {
    const [only, ...others] = selection.selections
    if (only?.kind !== Kind.FIELD || others.length > 0 || only.selectionSet === undefined) break
    const object: GraphQLNamedType | undefined = getNamedType(type)
    if (!isObjectType(object)) break
    path.push(only.alias?.value ?? only.name.value)
    type = object.getFields()[only.name.value]?.type
    selection = only.selectionSet
  }
  const object = getNamedType(type)
  if (!isObjectType(object)) throw new Error(`${file}: the answer is no object`)
  return { path, answer: objectOf(schema, object, selection) }
}

function usedIn(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Set<FragmentDefinitionNode> {
  return new Set(
    selections.flatMap(one => {
      const fragment = one.kind === Kind.FRAGMENT_SPREAD ? fragments.get(one.name.value) : undefined
      if (fragment) return [fragment, ...usedIn(fragment.selectionSet, fragments)]
      return 'selectionSet' in one && one.selectionSet ? [...usedIn(one.selectionSet, fragments)] : []
    }),
  )
}

function objectOf(schema: GraphQLSchema, type: GraphQLOutputType, { selections }: SelectionSetNode): Schema {
  const [first] = selections
  if (first?.kind === Kind.FRAGMENT_SPREAD && selections.length === 1)
    return { $ref: `#/components/schemas/${first.name.value}` }
  const object = getNamedType(type)
  const members = selections.map((one): [string, Schema] => {
    const field = one.kind === Kind.FIELD && isObjectType(object) ? object.getFields()[one.name.value] : undefined
    if (one.kind !== Kind.FIELD || !field) throw new Error(`${file}: fields and one fragment alone are understood`)
    // The clients throw for any error of an answer, which alone makes such a field null.
    const type = field.extensions.refusable === true ? getNullableType(field.type) : null
    const shape = type ? present(schema, type, one.selectionSet) : outputOf(schema, field.type, one.selectionSet)
    return [
      one.alias?.value ?? one.name.value,
      field.description ? { ...shape, description: field.description } : shape,
    ]
  })
  return { type: 'object', properties: Object.fromEntries(members), required: members.map(([name]) => name) }
}

function outputOf(schema: GraphQLSchema, type: GraphQLOutputType, selection: SelectionSetNode | undefined): Schema {
  if (isNonNullType(type)) return present(schema, type.ofType, selection)
  return { anyOf: [present(schema, type, selection), { type: 'null' }] }
}

function present(schema: GraphQLSchema, type: GraphQLOutputType, selection: SelectionSetNode | undefined): Schema {
  if (isListType(type)) return { type: 'array', items: outputOf(schema, type.ofType, selection) }
  return selection ? objectOf(schema, type, selection) : leafOf(type)
}

function inputOf(type: GraphQLInputType): Schema {
  if (isNonNullType(type)) return inputOf(type.ofType)
  if (isListType(type)) return { type: 'array', items: inputOf(type.ofType) }
  if (!isInputObjectType(type)) return leafOf(type)
  const fields = Object.values(type.getFields())
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, inputOf(field.type)])),
    required: fields.filter(field => isNonNullType(field.type)).map(({ name }) => name),
  }
}

/** Only the type: patterns are for validators. */
function leafOf(type: GraphQLOutputType | GraphQLInputType): Schema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  return { type: schemaOf(type as never).type ?? 'string' }
}
