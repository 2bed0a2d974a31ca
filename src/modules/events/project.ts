// Streams the events of a project, for dashboards and similar clients: from now on, or after an event already seen.
import { AppError, notFound } from '../../core/errors.ts'
import { demand, type Principal } from '../../core/principal.ts'
import { meter } from '../../kit/allowance.ts'
import { batchWhileBusy } from '../../kit/batch-while-busy.ts'
import type { Context } from '../../kit/context.ts'
import { perApp } from '../../kit/per-app.ts'
import { type Page, tail } from '../../kit/tail.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { type LoggedEvent, newestOf, pageSize, readProjectLog } from './log.ts'

/**
 * Returns the project whose events this principal follows: an API key's own, or the one that an administrator names.
 * Errors: `unauthenticated`, `forbidden`, `project_key_required`, `not_found`.
 */
export function followedProject(principal: Principal, asked: string | null): string {
  demand(principal, 'read')
  if (principal.kind === 'key') {
    if (asked !== null && asked !== principal.projectId) throw notFound('project')
    return principal.projectId
  }
  if (asked === null)
    throw new AppError('project_key_required', 'A service administrator has no project: name one as `projectId`.')
  return asked
}

// The same change wakes all followers of a project, and they are at the same event, so one read serves them all. A
// follower never joins a read in progress, because that read may have begun before the change.
const nextEvents = perApp(app => {
  const sql = sqlOf(app.pool)
  return batchWhileBusy<{ projectId: string; after: string }, LoggedEvent[]>(places => {
    const reads = new Map<string, Promise<LoggedEvent[]>>()
    return Promise.all(
      places.map(({ projectId, after }) => {
        const place = `${projectId} ${after}`
        const read = reads.get(place) ?? readProjectLog(sql, projectId, after)
        reads.set(place, read)
        return read
      }),
    )
  })
})

/**
 * Streams the events of the project for which `picked` returns a value. A client that passes the last event it has seen
 * as `after` misses no event. Throws `too_many_requests` when the reads exceed the caller's rate limit.
 */
export function followProject<Event>(
  context: Context,
  { projectId, after }: { projectId: string; after: string | null },
  picked: (event: LoggedEvent) => Event | null,
): Promise<AsyncGenerator<Event>> {
  const sql = sqlOf(context.pool)
  const charge = meter(context.allowance)
  async function later(seen: string): Promise<Page<Event>> {
    const rows = await nextEvents(context)({ projectId, after: seen })
    // Charges all rows that were read, also those that `picked` leaves out.
    charge(rows.length / 100)
    return {
      rows: rows.flatMap(row => picked(row) ?? []),
      after: rows.at(-1)?.id ?? seen,
      isFull: rows.length === pageSize,
    }
  }
  async function begin(): Promise<Page<Event>> {
    const newest = await newestOf(sql, projectId)
    // After a restore from a backup, the client may have seen events that the database has lost: the stream starts now.
    return after === null || BigInt(after) > BigInt(newest) ? { rows: [], after: newest } : later(after)
  }
  return tail(context.feed, { topic: projectId, begin, later })
}
