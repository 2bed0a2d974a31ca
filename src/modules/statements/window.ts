// The window of a statement: a day in UTC, or part of a day to the minute.
import { z } from 'zod'
import { invalid } from '../../core/errors.ts'

export const wholeDay = '00:00-23:59'

const date = z.iso
  .date('Must be a date such as 2026-03-01.')
  // PostgreSQL has no year 0.
  .refine(text => text >= '0001-01-01', 'Must be a date such as 2026-03-01.')
  .meta({ graphql: 'Date', format: 'date' })
const window = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, {
    error: 'Must be HH:MM-HH:MM, for instance 09:00-17:30.',
    abort: true,
  })
  .refine(text => text.slice(0, 5) <= text.slice(6), 'Must not end before it begins.')
  .meta({ graphql: 'String', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$' })

export const windowInput = {
  date: date.nullish().describe('The day, in UTC; today unless given.'),
  window: window
    .nullish()
    .meta({ default: wholeDay })
    .describe('First and last minute, in UTC; the whole day unless given.'),
}

export type Window = { date: string; window: string; from: Date /** Exclusive. */; to: Date; isWholeDay: boolean }

const minute = 60_000

/** Throws `validation_failed` if it has not begun. */
export function windowOf(
  given: { date?: string | null | undefined; window?: string | null | undefined },
  now: Date,
): Window {
  const day = given.date ?? now.toISOString().slice(0, 10)
  const part = given.window ?? wholeDay
  const at = (time: string) => new Date(`${day}T${time}:00.000Z`)
  const [first = '', last = ''] = part.split('-')
  if (at(first) > now) {
    const name = at('00:00') > now ? 'date' : 'window'
    throw invalid([{ path: ['input', name], message: 'Must not be in the future.', type: 'value_error' }])
  }
  const to = new Date(at(last).getTime() + minute)
  return { date: day, window: part, from: at(first), to, isWholeDay: part === wholeDay }
}

/** Returns the window as it was requested. */
export function windowText({ from, to }: { from: Date; to: Date }): { date: string; window: string } {
  const last = new Date(to.getTime() - minute)
  const time = (moment: Date) => moment.toISOString().slice(11, 16)
  return { date: from.toISOString().slice(0, 10), window: `${time(from)}-${time(last)}` }
}

/** The same in SQL. */
export function windowInSql(from: string, to: string): { date: string; window: string } {
  const time = (moment: string) => `to_char((${moment}) at time zone 'UTC', 'HH24:MI')`
  return {
    date: `to_char(${from} at time zone 'UTC', 'YYYY-MM-DD')`,
    window: `${time(from)} || '-' || ${time(`${to} - interval '1 minute'`)}`,
  }
}
