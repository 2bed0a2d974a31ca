// The complete GraphQL schema. Importing it opens no connection: it needs neither settings nor a database.
import { type GraphQLField, isObjectType } from 'graphql'
import { builder } from '../kit/builder.ts'
import type { Context } from '../kit/context.ts'
import { countCost, declaredCost } from '../kit/field-cost.ts'
import { perApp } from '../kit/per-app.ts'
import { createSemaphore } from '../kit/semaphore.ts'
import '../modules/index.ts'

export const schema = builder.toSchema()

// Pothos creates the fields of connections and accepts no extensions for them.
for (const type of Object.values(schema.getTypeMap())) {
  const total = isObjectType(type) && type.name.endsWith('Connection') ? type.getFields().totalCount : undefined
  if (total) total.extensions = { ...total.extensions, cost: countCost }
}

// A caller runs one large read at a time, so that the aliases of one document do not occupy every database connection.
const largeReads = perApp(() =>
  createSemaphore({ atOnce: 2, eachAtOnce: 1, anonymousAtOnce: 1, waiting: 1_000, eachWaiting: 200 }),
)
const largeFrom = 15

function limitConcurrency(field: GraphQLField<unknown, Context>): void {
  const { resolve } = field
  if (!resolve || declaredCost(field).hasOwnSemaphore) return
  field.resolve = (root, args, context, info) => {
    if ((context.costs.get(String(info.path.key)) ?? 0) < largeFrom) return resolve(root, args, context, info)
    return largeReads(context).run(context.allowance, async () => resolve(root, args, context, info))
  }
}

for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) limitConcurrency(field)
