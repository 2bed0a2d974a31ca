// The days of time zones, and the days of a project's series: without gap, without overlap, whatever clocks and
// settings do.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayAfter, dayOf, localTime, momentOf, startOfDay, timeZone } from '../../src/core/time-zone.ts'
import { endsMonth, following, nextDay } from '../../src/modules/statements/calendar.ts'
import { windowOf } from '../../src/modules/statements/window.ts'

const hours = (zone: string, day: string) =>
  (startOfDay(dayAfter(day), zone).getTime() - startOfDay(day, zone).getTime()) / 3_600_000

describe('a time zone', () => {
  it.each([
    ['Europe/Zurich', '2026-03-29', 23],
    ['Europe/Zurich', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/New_York', '2026-11-01', 25],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['Asia/Kathmandu', '2026-05-01', 24],
    // Clocks are set forward at midnight.
    ['Asia/Beirut', '2026-03-29', 23],
    // The island crossed the date line.
    ['Pacific/Apia', '2011-12-30', 0],
    ['UTC', '2026-03-29', 24],
  ])('%s has a day %s of %d hours', (zone, day, length) => {
    expect(hours(zone, day)).toBe(length)
  })

  it('begins its days at local midnight, which is at another time of UTC', () => {
    expect(startOfDay('2026-05-01', 'Asia/Kathmandu').toISOString()).toBe('2026-04-30T18:15:00.000Z')
    expect(startOfDay('2026-05-01', 'America/New_York').toISOString()).toBe('2026-05-01T04:00:00.000Z')
    expect(dayOf(new Date('2026-05-01T03:59:59.999Z'), 'America/New_York')).toBe('2026-04-30')
    expect(localTime(new Date('2026-05-01T03:59:59.999Z'), 'America/New_York')).toBe('2026-04-30T23:59:59.999-04:00')
    expect(localTime(new Date('2026-05-01T00:00:00Z'), 'Asia/Kathmandu')).toBe('2026-05-01T05:45:00.000+05:45')
    expect(localTime(new Date('2026-05-01T00:00:00Z'), 'UTC')).toBe('2026-05-01T00:00:00.000Z')
  })

  it.each([
    ['Australia/Adelaide', '2026-04-05T02:45', '2026-04-04T16:15:00.000Z'],
    ['America/St_Johns', '2026-11-01T01:30', '2026-11-01T04:00:00.000Z'],
    ['Pacific/Chatham', '2026-04-05T03:00', '2026-04-04T13:15:00.000Z'],
    ['Europe/Zurich', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['America/Havana', '2026-11-01T00:00', '2026-11-01T04:00:00.000Z'],
  ])('%s reaches %s the first time, although clocks show it twice', (zone, local, moment) => {
    expect(momentOf(local, zone).toISOString()).toBe(moment)
  })

  it('reaches a time that clocks skip when they are set forward', () => {
    expect(momentOf('2026-03-29T02:30', 'Europe/Zurich').toISOString()).toBe('2026-03-29T01:00:00.000Z')
  })

  it.each(['Europe/Zurich', 'UTC', 'Asia/Calcutta', 'Asia/Kolkata', 'America/Argentina/Ushuaia', 'Etc/GMT+5'])(
    '%s is known',
    name => {
      expect(timeZone.safeParse(name).success).toBe(true)
    },
  )

  it.each(['Mars/Olympus', '+05:30', '', 'Europe/Zürich', 'UTC; drop table', 'x'.repeat(300)])(
    '%j is refused',
    name => {
      expect(timeZone.safeParse(name).success).toBe(false)
    },
  )
})

const zones = [
  'UTC',
  'Asia/Kolkata',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'Europe/London',
  'Pacific/Apia',
]

describe('the days of a series', () => {
  it('follow each other without gap and overlap, however often the zone changes', () => {
    const start = fc.date({ min: new Date('2011-12-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    const changes = fc.array(fc.tuple(fc.constantFrom(...zones), fc.integer({ min: 1, max: 20 })), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(start, changes, (closedTo, all) => {
        let day = nextDay({ closedTo, closedDay: null }, all[0]?.[0] ?? 'UTC')
        expect(day.from).toEqual(closedTo)
        for (const [zone, count] of all) {
          for (let n = 0; n < count; n += 1) {
            const next = following(day, zone)
            expect(next.from).toEqual(day.to)
            expect(next.to.getTime()).toBeGreaterThan(next.from.getTime())
            expect(next.day > day.day).toBe(true)
            // The end of a day is midnight in its zone.
            expect(next.to).toEqual(startOfDay(dayAfter(next.day), zone))
            expect(next.to.getTime() - next.from.getTime()).toBeLessThan(72 * 3_600_000)
            day = next
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  it('end their months', () => {
    const days = ['2026-02-28', '2028-02-28', '2028-02-29', '2026-12-31', '2026-12-30']
    expect(days.map(day => endsMonth(day, null))).toEqual([true, false, true, true, false])
  })

  it('end a month whose last day a change of the zone left out', () => {
    const closed = { closedTo: startOfDay('2027-01-31', 'Pacific/Pago_Pago'), closedDay: '2027-01-30' }
    const { day } = nextDay(closed, 'Pacific/Auckland')
    expect([day, endsMonth(day, closed.closedDay)]).toEqual(['2027-02-01', true])
    expect(endsMonth('2027-02-01', '2027-01-31')).toBe(false)
  })
})

describe('a window', () => {
  const now = new Date('2026-06-01T12:00:00Z')
  it('is of the local day', () => {
    const { from, to } = windowOf({ date: '2026-05-01', window: '09:00-17:29' }, now, 'Asia/Kathmandu')
    expect([from.toISOString(), to.toISOString()]).toEqual(['2026-05-01T03:15:00.000Z', '2026-05-01T11:45:00.000Z'])
  })

  it('that begins before year 1 is refused, because PostgreSQL has no year 0', () => {
    const from = (zone: string) => windowOf({ date: '0001-01-01' }, now, zone).from.getUTCFullYear()
    expect(() => from('Asia/Kolkata')).toThrow()
    expect(from('UTC')).toBe(1)
  })

  it('of today is of the local today', () => {
    expect(windowOf({}, new Date('2026-06-01T20:00:00Z'), 'Asia/Kathmandu').date).toBe('2026-06-02')
  })

  it('that clocks skip is refused', () => {
    expect(() => windowOf({ date: '2026-03-29', window: '02:10-02:40' }, now, 'Europe/Zurich')).toThrow()
  })
})
