// Closes the days of projects that have ended: each account that moved gets the next statement of its series, which the
// worker then writes. A day is closed in one transaction that has the project's lock, so that numbers have no gaps and
// nothing is stated twice, whatever fails.

import { dayOf, startOfDay } from '../../core/time-zone.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { isMoving } from '../../kit/moving.ts'
import { inTransaction, type Transaction } from '../../kit/transaction.ts'
import { configOf } from '../projects/config.ts'
import { endsMonth, following, nextDay } from './calendar.ts'
import { firstOpen, numberDay, openSeries } from './numbering.ts'
import { wholeDay } from './window.ts'

type Locked = {
  seriesFrom: Date | null
  closedTo: Date | null
  closedDay: string | null
  createdAt: Date
  projectConfigVersion: number | null
  configVersion: number | null
  config: unknown
}

/** Returns the time by which payments are booked, which a process's own clock may be ahead of. */
export async function bookingTime({ pool }: Pick<App, 'pool'>): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now()')
  const [row] = rows
  if (row === undefined) throw new Error('the database did not tell the time')
  return row.now
}

/** Closes all days of the project that have ended by `now`, one after the other. */
export async function closeDays(app: Pick<App, 'pool'>, projectId: string, now: Date): Promise<void> {
  let isOpen = true
  while (isOpen) isOpen = await inTransaction(app, tx => closeNext(tx, projectId, now))
}

/** Closes the next day that has something to state, and the empty days before it. Returns whether there may be more. */
async function closeNext(tx: Transaction, projectId: string, now: Date): Promise<boolean> {
  const project = await lock(tx, projectId)
  if (project === null) return false
  const { timeZone } = configOf(project.config === null ? null : { config: project.config })
  const seriesFrom = project.seriesFrom ?? startOfDay(dayOf(project.createdAt, timeZone), timeZone)
  if (project.closedTo === null) await openSeries(tx.sql, projectId, seriesFrom)
  const closed = { closedTo: project.closedTo ?? seriesFrom, closedDay: project.closedDay }
  const first = await firstOpen(tx.sql, { projectId, seriesFrom, from: closed.closedTo, to: now })
  let day = nextDay(closed, timeZone)
  const hasEnded = () => day.to <= now
  const isMonthEnd = () => endsMonth(day.day, closed.closedDay)
  while (hasEnded() && !isMonthEnd() && (first === null || first >= day.to)) {
    Object.assign(closed, { closedTo: day.to, closedDay: day.day })
    day = following(day, timeZone)
  }
  if (hasEnded()) {
    const { configVersion, projectConfigVersion } = project
    const closing = { ...day, projectId, seriesFrom, at: now, timeZone, configVersion, projectConfigVersion }
    const made = await numberDay(tx.sql, closing, isMonthEnd(), wholeDay)
    // One project's many accounts must not keep the statements of others waiting.
    for (const statement of made) tx.job(jobs.writeStatement({ statement, projectId }))
    Object.assign(closed, { closedTo: day.to, closedDay: day.day })
  }
  const next = nextDay(closed, timeZone)
  await tx.sql(
    `update projects set series_from = $2::timestamptz, closed_to = $3::timestamptz, closed_day = $4::text, closes_at = $5::timestamptz where id = $1::uuid`,
    [projectId, seriesFrom, closed.closedTo, closed.closedDay, next.to],
  )
  return next.to <= now
}

/**
 * Returns null when there is no such project, or when it is moved to another installation. Waits for another process
 * that closes its days.
 */
async function lock({ sql }: Transaction, projectId: string): Promise<Locked | null> {
  const locked = await sql(
    `select id from projects where id = $1::uuid and not ${isMoving('$1::uuid')} for no key update`,
    [projectId],
  )
  if (locked.length === 0) return null
  // After the lock, so that it sees what the holder before it wrote.
  const [row] = await sql<Locked>(
    `select p.series_from as "seriesFrom", p.closed_to as "closedTo", p.closed_day as "closedDay", p.created_at as "createdAt",
       p.config_version as "projectConfigVersion", c.config,
       (select max(version) from organisation_configs) as "configVersion"
     from projects p left join project_configs c on c.version = p.config_version where p.id = $1::uuid`,
    [projectId],
  )
  return row ?? null
}

const atOnce = 100

/** The periodic task: closes the days of all projects. A project that fails does not keep the others waiting. */
export async function closeEnded(app: App): Promise<void> {
  const now = await bookingTime(app)
  const failures: unknown[] = []
  let last = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const { rows } = await app.pool.query<typeof last>(
      `select id, closes_at as at from projects where closes_at <= $1 and (closes_at, id) > ($2, $3::uuid) and not ${isMoving('projects.id')}
       order by closes_at, id limit ${atOnce}`,
      [now, last.at, last.id],
    )
    for (const { id } of rows) {
      try {
        await closeDays(app, id, now)
      } catch (error) {
        app.log.error({ err: error, project: id }, 'the days of a project could not be closed')
        failures.push(error)
      }
    }
    last = rows.at(-1) ?? last
    if (rows.length < atOnce) break
  }
  if (failures.length > 0) throw failures[0]
}
