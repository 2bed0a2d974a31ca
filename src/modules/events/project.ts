// The events of a project, for dashboards and similar clients: from now on, or after an event already seen.
import { AppError, notFound } from '../../core/errors.ts'
import { demand, type Principal } from '../../core/principal.ts'
import type { Context } from '../../kit/context.ts'
import type { Log, Page } from '../../kit/live/log.ts'
import { perApp } from '../../kit/per-app.ts'
import { shareWhileBusy } from '../../kit/share-while-busy.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { cursorsOf, type LoggedEvent, pageSize, readProjectLog } from './log.ts'

/**
 * Returns the project whose events this principal follows: an API key's own, or the one that an administrator names.
 * Errors: `unauthenticated`, `forbidden`, `project_key_required`, `not_found`.
 */
export function followedProject(principal: Principal, requested: string | null): string {
  demand(principal, 'read')
  if (principal.kind === 'key') {
    if (requested !== null && requested !== principal.projectId) throw notFound('project')
    return principal.projectId
  }
  if (requested === null)
    throw new AppError('project_key_required', 'A service administrator has no project: name one as `projectId`.')
  return requested
}

// The same change wakes all followers of a project, and they are at the same event, so one read serves them all.
const sharedPages = perApp(() => shareWhileBusy<LoggedEvent[]>())

/**
 * Returns a log of what `picked` returns of each page of the project's events. A client that passes the last event it
 * has seen as `after` misses no event. Errors: `cursor_ahead`, `cursor_behind`, and those of `picked`.
 */
export function projectLog<Event extends { cursor: string }>(
  context: Context,
  { projectId, after }: { projectId: string; after: string | null },
  picked: (events: LoggedEvent[]) => Event[] | Promise<Event[]>,
): Log<Event> {
  const sql = sqlOf(context.pool)
  async function later(seen: string): Promise<Page<Event>> {
    const rows = await sharedPages(context)({
      key: `${projectId} ${seen}`,
      read: () => readProjectLog(sql, projectId, seen),
    })
    return {
      rows: rows.length > 0 ? await picked(rows) : [],
      after: rows.at(-1)?.id ?? seen,
      isFull: rows.length === pageSize,
      // All rows that were read count, also those that `picked` leaves out.
      cost: rows.length / 100,
    }
  }
  async function begin(): Promise<Page<Event>> {
    const { oldest, newest } = await cursorsOf(sql, projectId)
    if (after === null) return { rows: [], after: newest }
    // After a restore from a backup, the client may have seen events that the database has lost, and its list is wrong.
    if (BigInt(after) > BigInt(newest)) throw new AppError('cursor_ahead')
    if (BigInt(after) < BigInt(oldest)) throw new AppError('cursor_behind')
    return later(after)
  }
  return { topic: projectId, begin, later, cursorOf: ({ cursor }) => cursor }
}
