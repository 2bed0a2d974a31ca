// The days of a project's series of statements. They are days of its time zone, and follow each other without gap and
// overlap also when the time zone changes: a day begins where the last one ended.
import { dayAfter, dayOf, startOfDay } from '../../core/time-zone.ts'

/** A period and the day after which it is called, YYYY-MM-DD. `to` is the first moment after it. */
export type Day = { day: string; from: Date; to: Date }

/** Returns the day after the one that ended at `closedTo`; `closedDay` is null before the first. */
export function nextDay({ closedTo, closedDay }: { closedTo: Date; closedDay: string | null }, zone: string): Day {
  const present = dayOf(closedTo, zone)
  // After a change to a zone farther west it is the closed day once more: the rest of it belongs to the next day.
  let day = closedDay !== null && present <= closedDay ? dayAfter(closedDay) : present
  // A zone that crosses the date line leaves a day out.
  while (startOfDay(dayAfter(day), zone) <= closedTo) day = dayAfter(day)
  return { day, from: closedTo, to: startOfDay(dayAfter(day), zone) }
}

export const following = ({ day, to }: Day, zone: string): Day => nextDay({ closedTo: to, closedDay: day }, zone)

const isLast = (day: string): boolean => dayAfter(day).slice(0, 7) !== day.slice(0, 7)

/**
 * Returns whether it is the last day of its month, or the first after a month whose last day was left out, because the
 * time zone changed. `before` is the day that was closed before it.
 */
export const endsMonth = (day: string, before: string | null): boolean =>
  isLast(day) || (before !== null && !isLast(before) && before.slice(0, 7) < day.slice(0, 7))
