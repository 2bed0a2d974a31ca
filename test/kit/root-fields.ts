// Declares the root fields of a schema that a test wrote in SDL, as the plugin in src/kit/root-fields.ts does.
import type { GraphQLSchema } from 'graphql'

/** Root fields without a declaration become public, without errors of their own. */
export function declareRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      field.extensions = { access: 'public', errors: [], ...field.extensions }
    }
  }
  return schema
}
