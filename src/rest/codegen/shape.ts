// The shape of an operation's response, in wire names.
import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLInt,
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
import { annotated, nameArgument, textArgument } from './annotation.ts'
import type { Report } from './mistakes.ts'
import { flattened, onlyMember, rewriteOf } from './reshape.ts'
import type { Member, Shape } from './shape-type.ts'

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
    const echo = annotated(node, 'echo')
    const answered = shapeOf(schema, field, [node, ...more], report)
    const shape: Shape = echo ? { kind: 'leaf', type: GraphQLInt, rules: {}, nullable: false, rewrite: null } : answered
    const own = field.name === '__typename' ? null : field.description
    const description = textArgument(node, 'described', 'as') ?? own
    const older = annotated(node, 'olderName')
    const isPlain = shape.kind === 'leaf' && !annotated(node, 'header') && !annotated(node, 'eventId')
    if (older && !isPlain) report(older, `@olderName is for a scalar of the body, and ${node.name.value} is none.`)
    return [{ key, node, field: { name: field.name, description }, shape, isOlder: older !== undefined }]
  })
}

/** `nodes` are the fields that share one response key, in wire names and without named fragments. */
export const shapeOf = (
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
  nodes: Nodes,
  report: Report,
): Shape => {
  const shape = typeShape(schema, field.type, answer.parse(field.extensions.answer), nodes, report)
  // A refusal is the whole response of a route.
  return field.extensions.refusable === true ? { ...shape, nullable: false } : shape
}

function typeShape(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  rules: JsonSchema,
  nodes: Nodes,
  report: Report,
): Shape {
  const nullable = !isNonNullType(type)
  const inner = isNonNullType(type) ? type.ofType : type
  if (isListType(inner)) {
    const of = typeShape(schema, inner.ofType, rules, nodes, report)
    return { kind: 'list', of, nullable, rewrite: of.rewrite }
  }
  if (isLeafType(inner)) {
    const name = nameArgument(nodes[0], 'schema')
    if (name) report(name.node, `@schema names an object, and ${nodes[0].name.value} is none.`)
    const sparse = annotated(nodes[0], 'sparse')
    if (sparse) report(sparse, `@sparse is for an object, and ${nodes[0].name.value} is none.`)
    return { kind: 'leaf', type: inner, rules: { ...rules, ...plainText(nodes[0]) }, nullable, rewrite: null }
  }
  const variants = objectsOf(schema, inner).map(object => membersOf(schema, object, nodes, report))
  const sparse = annotated(nodes[0], 'sparse') !== undefined
  const only = onlyMember(variants, report)
  const rewrite = rewriteOf(variants, sparse, only?.key ?? null)
  if (only) return { ...only.shape, nullable: nullable || only.shape.nullable, rewrite }
  return {
    kind: 'object',
    node: nodes[0],
    type: inner.name,
    variants: variants.map(members => members.flatMap(flattened)),
    sparse,
    nullable,
    rewrite,
  }
}

const plainText = (node: FieldNode) => annotated(node, 'plain') && { pattern: undefined, format: undefined }

const objectsOf = (schema: GraphQLSchema, type: GraphQLCompositeType): readonly GraphQLObjectType[] =>
  isObjectType(type) ? [type] : schema.getPossibleTypes(type)
