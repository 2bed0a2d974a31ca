// The order of groups: by their keys, by the number of entries, or by a sum.
import { z } from 'zod'
import { direction } from '../../core/ranges.ts'
import { text } from '../../core/text.ts'
import type { Statement } from '../sql/index.ts'
import { exactlyOne } from './arguments.ts'
import type { Grouping } from './statement.ts'

type Words = { of: string; entries: string; currency: string; sum: string }

/** Creates the input. `of`: begins the names of its types. `sum`: the field of a sum by which groups are ordered. */
export const groupOrder = ({ of, entries, currency, sum }: Words) =>
  exactlyOne({
    key: direction.nullish().describe('By the keys, in the order in which `by` names them.'),
    count: direction.nullish().describe(`By the number of ${entries}.`),
    sum: z
      .strictObject({
        currency: text().describe(`${currency}.`),
        direction: direction.describe('Ascending or descending.'),
      })
      .meta({ graphql: `${of}SumOrder`, description: 'The order of groups by a sum.' })
      .nullish()
      .describe(`By \`${sum}\` in one of them.`),
  }).meta({
    graphql: `${of}StatsOrder`,
    description: 'The order of groups: exactly one member. Equals follow in the order of their keys.',
  })

type GroupOrder = z.output<ReturnType<typeof groupOrder>>

/** `column`: the column of the part `sums` that is the sum. */
export function orderOf(statement: Statement, order: GroupOrder | null | undefined, column: string): Grouping['order'] {
  if (order?.sum) {
    const item = statement.value(order.sum.currency, 'text')
    const by = `coalesce(sum("${column}") filter (where part = 'sums' and item = ${item}), 0)`
    return { by, direction: order.sum.direction }
  }
  if (order?.count) return { by: 'coalesce(sum("count"), 0)', direction: order.count }
  return { by: null, direction: order?.key ?? 'asc' }
}
