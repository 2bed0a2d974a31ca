// The dates and timestamps that list filters accept.
import { z } from 'zod'

const day = z.iso.date()
// `z.iso.datetime` refuses the space and the small letters that RFC 3339 allows, and accepts a time without seconds.
const time = /^[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

const isDay = (value: string) => day.safeParse(value).success

function parseMoment(value: string): Date | null {
  if (!isDay(value.slice(0, 10)) || (value.length > 10 && !time.test(value.slice(10)))) return null
  const date = new Date(value)
  // PostgreSQL's calendar and RFC 3339 agree between these years.
  return date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999 ? date : null
}

const pattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2}))?$'

/** A date such as 2026-01-31, or an RFC 3339 timestamp; kept as written. */
export const moment = z
  .string()
  .refine(value => parseMoment(value) !== null, {
    error: 'Must be a date such as 2026-01-31, or an RFC 3339 timestamp.',
    params: { type: 'datetime_parsing' },
  })
  // One pattern and no choice of two formats, of which generators make a type of its own.
  .meta({ graphql: 'String', pattern })

/** An RFC 3339 timestamp, never a date alone; becomes a `Date`, to the millisecond. */
export const timestamp = z
  .string()
  .transform((value, { addIssue }) => {
    const date = isDay(value) ? null : parseMoment(value)
    if (date === null)
      addIssue({
        code: 'custom',
        message: 'Must be an RFC 3339 timestamp such as 2026-01-31T12:00:00Z.',
        params: { type: 'datetime_parsing' },
      })
    return date ?? z.NEVER
  })
  .meta({ graphql: 'DateTime' })

type Range = { gte?: Date; lt?: Date; lte?: Date }

/** Returns the range from first to last, both included; a date as last is that whole day. Null when first is later. */
export function between(first: string | null | undefined, last: string | null | undefined): Range | null {
  const from = first ? parseMoment(first) : null
  const to = last ? parseMoment(last) : null
  const wholeDay = isDay(last ?? '')
  const dayAfter = to && new Date(to.getTime() + 86_400_000)
  const end = wholeDay ? dayAfter : to
  if (from && end && (wholeDay ? from >= end : from > end)) return null
  return { ...(from && { gte: from }), ...(to && (wholeDay ? { lt: dayAfter ?? to } : { lte: to })) }
}
