// The complete GraphQL schema. Importing it opens no connection: it needs neither settings nor a database.
import { type GraphQLField, GraphQLSchema, isObjectType } from 'graphql'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { countCost, declaredCost } from '../kit/field-cost.ts'
import { demandReadable, inTurn } from '../kit/large-reads.ts'
import '../modules/index.ts'
import { withDirectives } from './directives.ts'
import { withRestWords } from './rest-words.ts'

function limitConcurrency(field: GraphQLField<unknown, Context>): void {
  const { resolve } = field
  if (!resolve) return
  const { hasOwnSemaphore } = declaredCost(field)
  field.resolve = (root, args, context, info) => {
    const key = String(info.path.key)
    demandReadable(context, key)
    const read = async () => resolve(root, args, context, info)
    return hasOwnSemaphore ? read() : inTurn(context, context.costs.get(key) ?? 0, read)
  }
}

function build(enumNames: 'upper case' | 'stored'): GraphQLSchema {
  const schema = builder.toSchema({ enumNames })
  // Pothos creates this field and accepts neither extensions nor a description for it.
  for (const type of Object.values(schema.getTypeMap())) {
    const total = isObjectType(type) && type.name.endsWith('Connection') ? type.getFields().totalCount : undefined
    if (!total) continue
    total.extensions = { cost: countCost, ...total.extensions }
    total.description = 'Number of entries on all pages.'
  }
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) limitConcurrency(field)
  return schema
}

/** Tells the sizes of pages, which each list has for itself. */
function describePages(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    for (const field of isObjectType(type) ? Object.values(type.getFields()) : []) {
      const { assumedSize, maxSize, slicingArguments = [] } = declaredCost(field).listSize ?? {}
      if (!slicingArguments.includes('last')) continue
      for (const argument of field.args)
        if (argument.name === 'first' || argument.name === 'last')
          argument.description += ` At most ${maxSize}${argument.name === 'first' ? `; ${assumedSize} unless given` : ''}.`
    }
}

/** Leaves out types that only the other schema uses. The others are found by the fields that use them. */
function withoutUnused(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig()
  return new GraphQLSchema({
    ...config,
    types: config.types.filter(type => isObjectType(type) && type.getInterfaces().length > 0),
  })
}

const whole = build('upper case')
describePages(whole)

export const schema = withDirectives(withoutUnused(whole))

/** The same schema for the operations of REST routes and MCP tools. */
export const restSchema = withRestWords(build('stored'), whole)
