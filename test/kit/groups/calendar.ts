// Periods of time zones, computed from Intl alone, a quarter of an hour at a time.
const formats = new Map<string, Intl.DateTimeFormat>()

function partsAt(time: number, zone: string) {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
      timeZoneName: 'longOffset',
    })
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return { date: `${parts.year}-${parts.month}-${parts.day}`, hour: `${parts.hour} ${parts.timeZoneName}` }
}

const quarter = 15 * 60_000

/** Returns the name that all moments of a period have in common. */
function nameOf(time: number, unit: string, zone: string): string {
  const { date, hour } = partsAt(time, zone)
  const [year, month] = date.split('-') as [string, string]
  if (unit === 'HOUR') return `${date} ${hour}`
  if (unit === 'DAY') return date
  if (unit === 'WEEK') {
    const day = new Date(`${date}T00:00Z`)
    return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10)
  }
  if (unit === 'MONTH') return `${year}-${month}`
  return unit === 'QUARTER' ? `${year} ${Math.ceil(Number(month) / 3)}` : year
}

export type Period = { start: string; end: string; date: string }

const known = new Map<string, Period>()

/** Returns the period in which a moment is. */
export function periodOf(time: number, unit: string, zone: string): Period {
  const name = nameOf(time, unit, zone)
  const key = `${unit} ${zone} ${name}`
  const found = known.get(key)
  if (found) return found
  const inside = (at: number) => nameOf(at, unit, zone) === name
  const edge = (direction: 1 | -1) => {
    let at = Math.floor(time / quarter) * quarter
    // Days first, because a year has 35,040 quarters of an hour.
    for (const step of [86_400_000, quarter]) while (inside(at + direction * step)) at += direction * step
    return direction === 1 ? at + quarter : at
  }
  const start = edge(-1)
  const period = {
    start: new Date(start).toISOString(),
    end: new Date(edge(1)).toISOString(),
    date: partsAt(start, zone).date,
  }
  known.set(key, period)
  return period
}
