// Days in time zones. A time zone is a name of the IANA database, as the ICU of Node.js knows it.
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 })

/** Throws RangeError for an unknown zone. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  return format
}

function isTimeZone(name: string): boolean {
  // Intl also knows offsets such as +05:30, which have no daylight saving time.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

export const utc = 'UTC'

export const timeZone = z
  .string()
  .refine(isTimeZone, 'Must be a time zone of the IANA database, for instance Europe/Zurich.')
  .meta({ graphql: 'String' })

/** Returns how far the local time is ahead of UTC, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  if (zone === utc) return 0
  const name = formatOf(zone)
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? []
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -size : size
}

/** Returns the local date, time and offset: `2026-03-01T05:30:00.000+05:30`; with `Z` in UTC. */
export function localTime(at: Date, zone: string): string {
  const offset = offsetAt(at.getTime(), zone)
  const minutes = Math.abs(offset) / 60_000
  // RFC 3339 has no seconds in an offset, as zones had them until the 20th century.
  if (zone === utc || !Number.isInteger(minutes)) return at.toISOString()
  const two = (value: number) => String(value).padStart(2, '0')
  const local = new Date(at.getTime() + offset).toISOString().slice(0, -1)
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns the local day: YYYY-MM-DD. */
export const dayOf = (at: Date, zone: string): string =>
  new Date(at.getTime() + offsetAt(at.getTime(), zone)).toISOString().slice(0, 10)

const farthest = 16 * 3_600_000

/**
 * Returns the first moment at which the local time (`2026-03-01T09:00`) is reached. A time that clocks skip is reached
 * when they are set forward.
 */
export function momentOf(local: string, zone: string): Date {
  const wanted = Date.parse(`${local}Z`)
  if (zone === utc) return new Date(wanted)
  let [before, reached] = [wanted - farthest, wanted + farthest]
  // When clocks are set back, the time is reached twice, each time with another offset.
  const exact = [before, reached]
    .map(time => wanted - offsetAt(time, zone))
    .filter(time => time + offsetAt(time, zone) === wanted)
  if (exact.length > 0) return new Date(Math.min(...exact))
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if (middle + offsetAt(middle, zone) >= wanted) reached = middle
    else before = middle
  }
  return new Date(reached)
}

export const startOfDay = (day: string, zone: string): Date => momentOf(`${day}T00:00`, zone)

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
