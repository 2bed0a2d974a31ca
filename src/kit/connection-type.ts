// The connection types of the schema: each has a total, and serves every field that lists its entries.
import type { ObjectRef } from '@pothos/core'
import { builder } from './builder.ts'
import { type Count, charged, counted } from './counting.ts'
import { countCost } from './field-cost.ts'

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Schema> ? Schema : never

type Connection = {
  /** A root field has a function, so that only those who ask for the number make the database count. */
  totalCount?: number | (() => Promise<number>)
  /** Counts and charges in place of `totalCount`, where the field declares `extensions: { total }`. */
  total?: () => Promise<number>
}

const everyRow = (total: number): Count => ({ total, read: total })

/**
 * `article`: the name of an entry with its article, for the descriptions. `totalCost`: the cost of the total beside the
 * rows that are read for it.
 */
export function connectionType<Entry>(
  type: ObjectRef<Types, Entry> | PothosSchemaTypes.UnionRef<Types, Entry>,
  name: string,
  article: string,
  totalCost = countCost,
) {
  return builder.connectionObject(
    {
      type,
      name: `${name}Connection`,
      description: 'One page of a list.',
      fields: t => ({
        totalCount: t.int({
          description: 'Entries on all pages.',
          extensions: { cost: totalCost, pothosPrismaTotalCount: true },
          resolve: async (connection, _, context) => {
            const { total, totalCount } = connection as Connection
            if (total !== undefined) return total()
            if (totalCount === undefined) throw new Error(`${name}Connection has no total`)
            if (typeof totalCount === 'number') return charged(context, everyRow(totalCount))
            return counted(context, async () => everyRow(await totalCount()))
          },
        }),
      }),
    },
    { name: `${name}Edge`, description: `${article} and its place in the list.` },
  )
}
