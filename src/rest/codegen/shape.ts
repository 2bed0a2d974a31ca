// The shape of an operation's response, in wire names.
import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionNode,
} from 'graphql'
import { z } from 'zod'
import type { JsonSchema } from '../scalars.ts'
import { annotated, nameGiven } from './annotation.ts'
import type { Report } from './mistakes.ts'

export type Member = {
  key: string
  node: FieldNode
  field: GraphQLField<unknown, unknown>
  shape: Shape
  /** `key` is an older name of the field. */
  isOlder: boolean
}

/** An abstract type has a variant for each of its object types; an object type has one. */
export type Shape = { nullable: boolean } /** `told`: JSON Schema that the field declares beyond its type. */ & (
  | { kind: 'leaf'; type: GraphQLLeafType; told: JsonSchema }
  | { kind: 'list'; of: Shape }
  /** `sparse`: members that are null are left out. */
  | { kind: 'object'; node: FieldNode; type: string; variants: Member[][]; sparse: boolean }
)

type Fields = Map<string, FieldNode[]>
type Nodes = [FieldNode, ...FieldNode[]]

const answer = z.record(z.string(), z.unknown()).default({})

export const keyOf = (node: FieldNode): string => node.alias?.value ?? node.name.value

function collect(
  schema: GraphQLSchema,
  object: GraphQLObjectType,
  selections: readonly SelectionNode[],
  report: Report,
  fields: Fields = new Map(),
): Fields {
  for (const node of selections) {
    const choice = annotated(node, 'include') ?? annotated(node, 'skip')
    if (choice) report(choice, `The answer of a route is always the same; @${choice.name.value} has no place in it.`)
    if (node.kind === 'Field') {
      fields.set(keyOf(node), [...(fields.get(keyOf(node)) ?? []), node])
    } else if (node.kind === 'InlineFragment') {
      const condition = node.typeCondition ? schema.getType(node.typeCondition.name.value) : object
      const applies = condition === object || (isAbstractType(condition) && schema.isSubType(condition, object))
      if (applies) collect(schema, object, node.selectionSet.selections, report, fields)
    }
  }
  return fields
}

function membersOf(schema: GraphQLSchema, object: GraphQLObjectType, nodes: FieldNode[], report: Report): Member[] {
  const selections = nodes.flatMap(node => node.selectionSet?.selections ?? [])
  return [...collect(schema, object, selections, report)].flatMap(([key, [node, ...more]]) => {
    const field = node && schema.getField(object, node.name.value)
    if (!field) return []
    const shape = shapeOf(schema, field, [node, ...more], report)
    const older = annotated(node, 'olderName')
    const isPlain = shape.kind === 'leaf' && !annotated(node, 'header') && !annotated(node, 'eventId')
    if (older && !isPlain) report(older, `@olderName is for a scalar of the body, and ${node.name.value} is none.`)
    return [{ key, node, field, shape, isOlder: older !== undefined }]
  })
}

/** `nodes` are the fields that share one response key, in wire names and without named fragments. */
export const shapeOf = (
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  nodes: Nodes,
  report: Report,
): Shape => typeShape(schema, field.type, answer.parse(field.extensions.answer), nodes, report)

function typeShape(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  told: JsonSchema,
  nodes: Nodes,
  report: Report,
): Shape {
  const nullable = !isNonNullType(type)
  const inner = isNonNullType(type) ? type.ofType : type
  if (isListType(inner)) return { kind: 'list', of: typeShape(schema, inner.ofType, told, nodes, report), nullable }
  if (isLeafType(inner)) {
    const name = nameGiven(nodes[0], 'schema')
    if (name) report(name.node, `@schema names an object, and ${nodes[0].name.value} is none.`)
    const sparse = annotated(nodes[0], 'sparse')
    if (sparse) report(sparse, `@sparse is for an object, and ${nodes[0].name.value} is none.`)
    return { kind: 'leaf', type: inner, told, nullable }
  }
  const variants = objectsOf(schema, inner).map(object => membersOf(schema, object, nodes, report))
  const sparse = annotated(nodes[0], 'sparse') !== undefined
  return { kind: 'object', node: nodes[0], type: inner.name, variants, sparse, nullable }
}

const objectsOf = (schema: GraphQLSchema, type: GraphQLCompositeType): readonly GraphQLObjectType[] =>
  isObjectType(type) ? [type] : schema.getPossibleTypes(type)
