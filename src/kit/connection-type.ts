// The connection types of the schema: each has a total, and serves every field that lists its entries.
import type { ObjectRef } from '@pothos/core'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { countCost, countedPerUnit } from './field-cost.ts'
import { perApp } from './per-app.ts'
import { createSemaphore } from './semaphore.ts'

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Schema> ? Schema : never

// A caller counts one list at a time, so that each count is charged before the next begins.
const counts = perApp(() =>
  createSemaphore({ atOnce: 4, eachAtOnce: 1, anonymousAtOnce: 2, waiting: 1_000, eachWaiting: 200 }),
)

/** Counts a list and charges its caller for the rows. */
export const counted = (context: Context, count: () => Promise<number>): Promise<number> =>
  counts(context).run(context.allowance, async () => charged(context, await count()))

/** Charges the caller of a list for the rows that were counted. */
export function charged({ allowance }: Context, total: number): number {
  allowance.spend(Math.floor(total / countedPerUnit))
  return total
}

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
          resolve: async (connection, _, context) => {
            // Of a root field it is a function, so that only those who ask for it make the database count.
            const { totalCount } = connection as { totalCount?: number | (() => Promise<number>) }
            if (totalCount === undefined) throw new Error(`${name}Connection has no total`)
            return typeof totalCount === 'function' ? counted(context, totalCount) : charged(context, totalCount)
          },
        }),
      }),
    },
    { name: `${name}Edge`, description: `${article} and its place in the list.` },
  )
}
