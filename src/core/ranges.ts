// Ranges and lists that list filters accept. The ends of a range belong to it.
import { z } from 'zod'
import { amount } from './amount.ts'
import { between, moment } from './moment.ts'

const notBefore = { path: ['until'], error: 'Must not be before `since`.', params: { type: 'value_error' } }

export const momentRange = z
  .strictObject({
    since: moment
      .meta({ graphql: 'DateTime' })
      .nullish()
      .describe('Not before this time; a date is its begin, in UTC.'),
    until: moment.meta({ graphql: 'DateTime' }).nullish().describe('Not after this time; a date is its end, in UTC.'),
  })
  .refine(({ since, until }) => between(since, until) !== null, notBefore)
  .meta({ graphql: 'DateTimeRange', description: 'A range of time. Both ends belong to it; an end may be open.' })

export const decimalRange = z
  .strictObject({
    min: amount.nullish().describe('At least this much.'),
    max: amount.nullish().describe('At most this much.'),
  })
  .meta({ graphql: 'DecimalRange', description: 'A range of amounts. Both ends belong to it; an end may be open.' })

const day = z.iso.date('Must be a date such as 2026-03-01.').meta({ graphql: 'Date', format: 'date' })

export const dayRange = z
  .strictObject({
    since: day.nullish().describe('Not before this day.'),
    until: day.nullish().describe('Not after this day.'),
  })
  .refine(({ since, until }) => !since || !until || since <= until, notBefore)
  .meta({ graphql: 'DateRange', description: 'A range of days. Both ends belong to it; an end may be open.' })

type Maybe<Value> = Value | null | undefined

/** Returns a condition on a time. */
export const within = (range: Maybe<z.output<typeof momentRange>>) => between(range?.since, range?.until) ?? {}

export const isBounded = (range: Maybe<z.output<typeof momentRange>>): boolean => Boolean(range?.since || range?.until)

export const amountWithin = (range: Maybe<z.output<typeof decimalRange>>) => ({
  ...(range?.min && { gte: range.min }),
  ...(range?.max && { lte: range.max }),
})

/** A filter by any of some values. */
export const anyOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).min(1, 'Name at least one value, or leave it out.').max(50, 'At most 50 values.').nullish()

export const direction = z.enum(['asc', 'desc']).meta({
  graphql: 'OrderDirection',
  description: 'A direction of ordering.',
  values: { asc: 'Smallest or oldest first.', desc: 'Largest or newest first.' },
})
