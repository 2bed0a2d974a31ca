// The changes of a project as they come, for dashboards: from now on, or since an event that was seen.
import { AppError, notFound } from '../../core/errors.ts'
import { demand, type Principal } from '../../core/principal.ts'
import type { Context } from '../../kit/context.ts'
import { gather } from '../../kit/gather.ts'
import { perApp } from '../../kit/per-app.ts'
import { type Page, tail } from '../../kit/tail.ts'
import { sqlOf } from '../../kit/transaction.ts'
import { type LoggedEvent, newestOf, pageSize, readProjectLog } from './log.ts'

/**
 * The project whose events this principal follows: a key's own, or the one that an administrator names. Errors:
 * `unauthenticated`, `forbidden`, `project_key_required`, `not_found`.
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

// All who follow a project are woken by the same change and stand at the same event: one read serves them. A read that has begun
// is not joined, because it may have begun before that change.
const nextEvents = perApp(app => {
  const sql = sqlOf(app.pool)
  return gather<{ projectId: string; after: string }, LoggedEvent[]>(places => {
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
 * Those events of the project for which `picked` answers something. A client that names the last it saw loses nothing. Throws
 * `too_many_requests` when more is read than the caller may ask for.
 */
export function followProject<Event>(
  context: Context,
  { projectId, after }: { projectId: string; after: string | null },
  picked: (event: LoggedEvent) => Event | null,
): Promise<AsyncGenerator<Event>> {
  const sql = sqlOf(context.pool)
  async function later(seen: string): Promise<Page<Event>> {
    const rows = await nextEvents(context)({ projectId, after: seen })
    // Rows that are left out were read as well.
    context.allowance.spend(rows.length / 100)
    return {
      rows: rows.flatMap(row => picked(row) ?? []),
      after: rows.at(-1)?.id ?? seen,
      isFull: rows.length === pageSize,
    }
  }
  async function begin(): Promise<Page<Event>> {
    const newest = await newestOf(sql, projectId)
    // A client may have seen more than a database that was restored from a backup: it begins anew.
    return after === null || BigInt(after) > BigInt(newest) ? { rows: [], after: newest } : later(after)
  }
  return tail(context.feed, { topic: projectId, begin, later })
}
