// The window of a statement: a day in a time zone, or part of a day to the minute.
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { dayAfter, dayOf, momentOf, startOfDay } from '../../core/time-zone.ts'

export const wholeDay = '00:00-23:59'

const notADate = 'Must be a date such as 2026-03-01.'
const date = z.iso.date(notADate).meta({ graphql: 'Date', format: 'date' })
const window = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, {
    error: 'Must be HH:MM-HH:MM, for instance 09:00-17:30.',
    abort: true,
  })
  .refine(text => text.slice(0, 5) <= text.slice(6), 'Must not end before it begins.')
  .meta({ graphql: 'String', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$' })

export const windowInput = {
  date: date.nullish().describe('The day, in the time zone of the project; today unless given. Of a wallet: in UTC.'),
  window: window
    .nullish()
    .meta({ default: wholeDay })
    .describe('First and last minute, in the same time zone; the whole day unless given.'),
}

export type Window = {
  date: string
  window: string
  /** IANA name. */
  timeZone: string
  from: Date
  /** Exclusive. */
  to: Date
  isWholeDay: boolean
  hasEnded: boolean
}

/** Throws `validation_failed` if it has not begun, and for a window that the clocks skip. */
export function windowOf(
  period: { date?: string | null | undefined; window?: string | null | undefined },
  now: Date,
  timeZone: string,
): Window {
  const day = period.date ?? dayOf(now, timeZone)
  const part = period.window ?? wholeDay
  const [first = '', last = ''] = part.split('-')
  const from = momentOf(`${day}T${first}`, timeZone)
  // PostgreSQL has no year 0.
  if (from.getUTCFullYear() < 1) throw invalid([{ path: ['input', 'date'], message: notADate, type: 'value_error' }])
  const refused = (name: string, message: string) => invalid([{ path: ['input', name], message, type: 'value_error' }])
  if (from > now) throw refused(startOfDay(day, timeZone) > now ? 'date' : 'window', 'Must not be in the future.')
  const to = afterMinute(day, last, timeZone)
  if (to <= from) throw refused('window', 'Is left out on that day, because clocks are set forward.')
  return { date: day, window: part, timeZone, from, to, isWholeDay: part === wholeDay, hasEnded: to <= now }
}

function afterMinute(day: string, time: string, timeZone: string): Date {
  if (time === '23:59') return startOfDay(dayAfter(day), timeZone)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const next = hours * 60 + minutes + 1
  const two = (value: number) => String(value).padStart(2, '0')
  return momentOf(`${day}T${two(Math.floor(next / 60))}:${two(next % 60)}`, timeZone)
}
