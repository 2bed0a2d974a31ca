// Lets days pass: the service books in real time, and these functions move what it booked to the day that is played,
// and close the days that have ended by then.
import type pg from 'pg'
import { closeDays } from '../../../src/modules/statements/close.ts'
import type { Service } from '../service.ts'

const day = 86_400_000

export type Days = ReturnType<typeof daysOf>

/** `late`: whether the receipt becomes known after the day on which it was booked was closed. */
export function daysOf({ app }: Service, db: pg.Client, projects: readonly { id: string }[]) {
  // Days to come, because the worker closes those that have ended.
  const first = Math.floor(Date.now() / day) * day + 2 * day
  const begin = (today: number) => new Date(first + today * day)

  async function book(today: number, late: (receipt: string) => boolean): Promise<void> {
    const { rows } = await db.query<{ id: string }>(
      `select id from receipts where booked_at < $1 order by booked_at, id`,
      [begin(0)],
    )
    const step = day / (rows.length + 1)
    const times = rows.map(({ id }, index) => {
      const at = begin(today).getTime() + Math.floor((index + 1) * step)
      // Up to 30 hours before this day began: its own day is closed, whatever the time zone.
      return today > 1 && late(id) ? at - Math.floor((at - begin(today).getTime()) / 2) - 18 * 3_600_000 : at
    })
    await db.query(
      `update receipts r set booked_at = moved.at from unnest($1::uuid[], $2::timestamptz[]) as moved(id, at) where r.id = moved.id`,
      [rows.map(({ id }) => id), times.map(time => new Date(time))],
    )
  }

  return {
    begin,
    book,
    /** Closes the days of all projects that have ended by the beginning of this one. */
    async close(today: number): Promise<void> {
      for (const { id } of projects) await closeDays(app, id, begin(today))
    },
  }
}
