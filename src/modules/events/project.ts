// The changes of a project as they come, for dashboards: from now on, or since an event that was seen.
import { AppError, notFound } from '../../core/errors.ts'
import { demand, type Principal } from '../../core/principal.ts'
import type { App } from '../../kit/context.ts'
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

/** Those events of the project for which `picked` answers something. A client that names the last it saw loses nothing. */
export function followProject<Event>(
  app: App,
  { projectId, after }: { projectId: string; after: string | null },
  picked: (event: LoggedEvent) => Event | null,
): Promise<AsyncGenerator<Event>> {
  const sql = sqlOf(app.pool)
  async function later(seen: string): Promise<Page<Event>> {
    const rows = await readProjectLog(sql, projectId, seen)
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
  return tail(app.feed, { topic: projectId, begin, later })
}
