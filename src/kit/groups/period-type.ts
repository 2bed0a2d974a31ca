// The GraphQL type of a period, and its fields in SQL.
import { builder } from '../builder.ts'
import { literal } from '../sql/index.ts'
import type { Fields } from './form.ts'
import { isPeriods, type Key } from './statement.ts'

/** Moments are in milliseconds since 1970. */
type Period = { start: number; end: number; date: string }

export const PeriodType = builder.objectRef<Period>('Period').implement({
  description: 'A period of time in a time zone.',
  fields: t => ({
    start: t.field({ type: 'DateTime', description: 'Its first moment.', resolve: ({ start }) => new Date(start) }),
    end: t.field({
      type: 'DateTime',
      description: 'Its end, which is the first moment of the next period.',
      resolve: ({ end }) => new Date(end),
    }),
    date: t.expose('date', { type: 'Date', description: 'The local day on which it begins, such as 2026-01-31.' }),
  }),
})

/** Returns the fields of the period of a group, over a row of `ranked`; null without a key by time. */
export function periodFields(keys: readonly Key[]): Fields | null {
  const index = keys.findIndex(isPeriods)
  const key = keys[index]
  if (key === undefined || !isPeriods(key)) return null
  const begin = (number: string) => `(select at[${number}] from periods)`
  return {
    start: begin(`k${index + 1}`),
    end: begin(`k${index + 1} + 1`),
    date: `to_char(${begin(`k${index + 1}`)} at time zone ${literal(key.zone)}, 'YYYY-MM-DD')`,
  }
}
