// The dates and timestamps that list filters accept.
import { z } from 'zod'

const day = /^\d{4}-\d{2}-\d{2}$/
const timestamp = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/

function parseMoment(value: string): Date | null {
  if (!day.test(value) && !timestamp.test(value)) return null
  const [date, startOfDay] = [new Date(value), new Date(`${value.slice(0, 10)}T00:00:00Z`)]
  if (Number.isNaN(date.getTime()) || Number.isNaN(startOfDay.getTime())) return null
  // PostgreSQL's calendar and RFC 3339 agree between these years.
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return null
  // JavaScript turns 30 February into 2 March; a caller who wrote it made a mistake.
  return startOfDay.toISOString().startsWith(value.slice(0, 10)) ? date : null
}

/** A date such as 2026-01-31, or an RFC 3339 timestamp; kept as written. */
export const moment = z
  .string()
  .refine(value => parseMoment(value) !== null, {
    error: 'Must be a date such as 2026-01-31, or an RFC 3339 timestamp.',
    params: { type: 'datetime_parsing' },
  })
  .meta({
    graphql: 'String',
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ],
  })

type Range = { gte?: Date; lt?: Date; lte?: Date }

/** Returns the range from first to last, both included; a date as last is that whole day. Null when first is later. */
export function between(first: string | null | undefined, last: string | null | undefined): Range | null {
  const from = first ? parseMoment(first) : null
  const to = last ? parseMoment(last) : null
  const wholeDay = day.test(last ?? '')
  if (from && to && from > to && !wholeDay) return null
  const dayAfter = to && new Date(to.getTime() + 86_400_000)
  return { ...(from && { gte: from }), ...(to && (wholeDay ? { lt: dayAfter ?? to } : { lte: to })) }
}
