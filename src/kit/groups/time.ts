// Groups by time: the periods of a time zone, in SQL.
import { z } from 'zod'
import { between } from '../../core/moment.ts'
import { timeZone, utc } from '../../core/time-zone.ts'
import { columnOf, literal, type Source, type Statement } from '../sql/index.ts'

const timeUnit = z.enum(['hour', 'day', 'week', 'month', 'quarter', 'year']).meta({
  graphql: 'TimeUnit',
  description: 'A period of the calendar.',
  values: {
    hour: 'An hour.',
    day: 'A day, from midnight to midnight; where clocks skip midnight, from the first moment of the day.',
    week: 'A week, from Monday.',
    month: 'A month.',
    quarter: 'A quarter of a year, from January, April, July or October.',
    year: 'A year.',
  },
})

/** Creates the input of a grouping by time. `of`: which time of an entry. */
export const timeGrouping = <Of extends z.ZodType>(name: string, of: Of) =>
  z
    .strictObject({
      unit: timeUnit.describe('How long each period is.'),
      timeZone: timeZone
        .nullish()
        .meta({ graphql: 'String', default: utc })
        .describe('Zone of the IANA database in which the periods begin, such as `Europe/Zurich`.'),
      of,
      fill: z
        .boolean()
        .nullish()
        .meta({ graphql: 'Boolean', default: false })
        .describe(
          'Whether periods without entries are groups, too: those of the range by which the filter selects this time, where it is open those between the first and the last group.',
        ),
    })
    .meta({ graphql: name, description: 'Periods of time, in a time zone.' })

type TimeUnit = z.output<typeof timeUnit>

/** Both ends belong to the range. */
export type Range = { since: Date | null; until: Date | null }

/** Returns the range of a filter. */
export function rangeOf(
  range: { since?: string | null | undefined; until?: string | null | undefined } | null | undefined,
): Range {
  const { gte, lt, lte } = between(range?.since, range?.until) ?? {}
  return { since: gte ?? null, until: lte ?? (lt ? new Date(lt.getTime() - 1) : null) }
}

export type Periods = {
  unit: TimeUnit
  zone: string
  fill: boolean
  /** The time of an entry, in SQL. */
  of: string
  range: Range
  /** A select of the earliest time of all entries as `lo` and the latest as `hi`, or earlier and later ones. */
  extremes: string
}

/** `ofProject`: returns the condition that a row of an alias is one that the caller may see. */
export function extremesOf({ table }: Source, name: string, ofProject: (alias: string) => string): string {
  const column = columnOf(table, name).name
  return `select min(${column}) as lo, max(${column}) as hi from ${table.name} as extreme where ${ofProject('extreme')}`
}

/** The entries of all groups are within fewer periods. */
export const mostPeriods = 100_000
/** Groups with those that are filled, at most. */
export const mostFilled = 10_000

const steps = { day: '1 day', week: '7 days', month: '1 month', quarter: '3 months', year: '1 year' }

/**
 * Returns a common table expression: the begin of each period in the array `at`, in order, and of one period more. The
 * array is null where there is no entry.
 */
export function periodsSql(statement: Statement, { unit, zone, fill, range, extremes }: Periods): string {
  const [since, until] = [range.since, range.until].map(
    date => date && `${statement.value(date, 'timestamptz')}::timestamptz`,
  )
  // A range far beyond all entries has no more periods than the entries, unless these are to be filled.
  const within = (end: string, side: string | null | undefined, nearer: string) =>
    !side ? end : fill ? side : `${nearer}(${side}, ${end})`
  const most = fill ? mostFilled + 2 : mostPeriods
  const local = (time: string) => `(${time} at time zone ${literal(zone)})`
  return `bounds as (select ${within('lo', since, 'greatest')} as lo, ${within('hi', until, 'least')} as hi from (${extremes}) as extremes),
  periods as (select array_agg(period order by period) as at from (${
    unit === 'hour'
      ? // Half hours, because clocks of some zones are changed by these: an hour begins with the first of its own.
        `select min(half) as period from (
          select generate_series(date_trunc('hour', lo, ${literal(zone)}), hi + interval '90 minutes', interval '30 minutes') as half
          from bounds limit ${2 * most}
        ) as halves group by date_trunc('hour', half, ${literal(zone)})`
      : // Of a midnight that comes twice, PostgreSQL takes the second.
        `select case when ${local(`(begin - interval '1 hour')`)} >= day then begin - interval '1 hour' else begin end as period
        from (select day, day at time zone ${literal(zone)} as begin from (
          select generate_series(date_trunc('${unit}', ${local('lo')}), ${local('hi')} + interval '${steps[unit]}', interval '${steps[unit]}') as day
          from bounds limit ${most}
        ) as days) as begins`
  }) as series)`
}

/** Returns the number of the period in which a time is, from 1. */
export const periodOf = (time: string): string => `width_bucket(${time}, (select at from periods))`

/** Returns a select of the numbers `k` of all periods, where a range is open between `first` and `last`, in SQL. */
export const allPeriods = ({ range }: Periods, first: string, last: string): string =>
  `select n as k from periods, bounds, generate_subscripts(at, 1) as n
   where at[n] <= hi and at[n + 1] > lo${range.since ? '' : ` and n >= ${first}`}${range.until ? '' : ` and n <= ${last}`}`
