// The type of the shape of a response.
import type { FieldNode, GraphQLField, GraphQLLeafType } from 'graphql'
import type { Rewrite } from '../rewrite.ts'
import type { JsonSchema } from '../scalars.ts'

export type Member = {
  key: string
  node: FieldNode
  field: Pick<GraphQLField<unknown, unknown>, 'name' | 'description'>
  shape: Shape
  /** `key` is an older name of the field. */
  isOlder: boolean
}

/**
 * An abstract type has a variant for each of its object types; an object type has one. `rewrite` makes a value of this
 * shape from the value in the result of the operation.
 */
export type Shape = {
  nullable: boolean
  rewrite: Rewrite | null
} /** `rules`: JSON Schema that the field declares beyond its type. */ & (
  | { kind: 'leaf'; type: GraphQLLeafType; rules: JsonSchema }
  | { kind: 'list'; of: Shape }
  /** `sparse`: members that are null are left out. */
  | { kind: 'object'; node: FieldNode; type: string; variants: Member[][]; sparse: boolean }
)
