// How many entries the introspection fields are assumed to return, for the cost of a query. All other fields of the
// schema declare this themselves.
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import type { ListSize } from './field-cost.ts'

export type IntrospectionSizes = { get(type: string, field: string): ListSize | undefined }

const cache = new WeakMap<GraphQLSchema, IntrospectionSizes>()

export function introspectionSizes(schema: GraphQLSchema): IntrospectionSizes {
  const known = cache.get(schema)
  if (known) return known
  const types = Object.values(schema.getTypeMap())
  const composite = types.filter(type => isObjectType(type) || isInterfaceType(type))
  const fields = composite.flatMap(type => Object.values(type.getFields()))
  const average = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / types.length
  const args = fields.reduce((sum, field) => sum + field.args.length, 0)
  const entries: Record<string, number> = {
    '__Schema.types': types.length,
    '__Schema.directives': schema.getDirectives().length,
    '__Type.fields': fields.length / types.length,
    // Returns one type. It counts as several average ones, because it may be the type with the most fields.
    'Query.__type':
      Math.max(...composite.map(type => Object.keys(type.getFields()).length)) / (fields.length / types.length),
    '__Type.inputFields': average(types.filter(isInputObjectType).map(type => Object.keys(type.getFields()).length)),
    '__Type.enumValues': average(types.filter(isEnumType).map(type => type.getValues().length)),
    '__Type.interfaces': average(composite.map(type => type.getInterfaces().length)),
    '__Type.possibleTypes': 1,
    // Most types have nothing to unwrap.
    '__Type.ofType': 0.5,
    '__Field.args': args / fields.length,
    '__Directive.args': 2,
  }
  // No caller makes these lists longer, so the average also counts where they are nested.
  const sizes = new Map(
    Object.entries(entries).map(([name, assumedSize]) => [
      name,
      { assumedSize, maxSize: assumedSize, slicingArguments: [], sizedFields: [] },
    ]),
  )
  const answer = { get: (type: string, field: string) => sizes.get(`${type}.${field}`) }
  cache.set(schema, answer)
  return answer
}
