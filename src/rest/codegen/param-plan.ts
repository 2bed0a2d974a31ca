// Everything that the generators need to know about one variable.
import type { GraphQLInputType, VariableDefinitionNode } from 'graphql'
import type { Param } from '../route.ts'
import type { JsonSchema } from '../scalars.ts'
import type { Usage } from './usages.ts'

export type ParamPlan = Param & {
  node: VariableDefinitionNode
  graphqlType: GraphQLInputType
  /** The header's name as the document writes it; `name` is in lower case, as Node provides it. */
  header: string | null
  description: string | null
  default: unknown
  rule: JsonSchema | null
  usages: Usage[]
}
