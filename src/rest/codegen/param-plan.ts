// What is known of one variable before it is written down.
import type { GraphQLInputType, VariableDefinitionNode } from 'graphql'
import type { Param } from '../route.ts'
import type { JsonSchema } from '../scalars.ts'
import type { Usage } from './usages.ts'

export type ParamPlan = Param & {
  node: VariableDefinitionNode
  graphqlType: GraphQLInputType
  /** As the document writes it; `name` is in lower case, as Node gives it. */
  header: string | null
  description: string | null
  default: unknown
  rule: JsonSchema | null
  usages: Usage[]
}
