// Times of a month in the visitor's time zone, or in another one.

export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: zone, hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1_000) * 1_000
}

/** The moment at which the clocks of a zone show midnight before the first day of a month. */
function monthBegin(year: number, month: number, zone: string): Date {
  const asIfUtc = Date.UTC(year, month, 1)
  // Once more, because the offset may differ between the two moments.
  const first = asIfUtc - offsetAt(asIfUtc, zone)
  return new Date(asIfUtc - offsetAt(first, zone))
}

/** The present month of a zone as a range whose ends belong to it. */
export function monthOf(zone: string, now = Date.now()): { since: string; until: string } {
  const local = new Date(now + offsetAt(now, zone))
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()]
  const end = monthBegin(year, month + 1, zone).getTime() - 1
  return { since: monthBegin(year, month, zone).toISOString(), until: new Date(end).toISOString() }
}

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export const when = (moment: string): string => shown.format(new Date(moment))
