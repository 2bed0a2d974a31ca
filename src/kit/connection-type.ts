// The connection types of the schema: each has a total, and serves every field that lists its entries.
import type { ObjectRef } from '@pothos/core'
import { builder } from './builder.ts'
import { countCost } from './field-cost.ts'

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Schema> ? Schema : never
type Total = number | Promise<number>

/** `article`: the name of an entry with its article, for the descriptions. */
export function connectionType<Entry>(type: ObjectRef<Types, Entry>, name: string, article: string) {
  return builder.connectionObject(
    {
      type,
      name: `${name}Connection`,
      description: 'One page of a list.',
      fields: t => ({
        totalCount: t.int({
          description: 'Entries on all pages.',
          extensions: { cost: countCost, pothosPrismaTotalCount: true },
          resolve: connection => {
            // Of a root field it is a function, so that only those who ask for it make the database count.
            const { totalCount } = connection as { totalCount?: Total | (() => Total) }
            const total = typeof totalCount === 'function' ? totalCount() : totalCount
            if (total === undefined) throw new Error(`${name}Connection has no total`)
            return total
          },
        }),
      }),
    },
    { name: `${name}Edge`, description: `${article} and its place in the list.` },
  )
}
