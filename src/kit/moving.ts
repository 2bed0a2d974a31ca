// A project that is moved to another installation (project_moves): its writes are refused here, and no periodic task
// takes it up.
import { AppError } from '../core/errors.ts'
import type { Principal } from '../core/principal.ts'
import type { Sql } from './transaction.ts'

/** SQL: this project is moved elsewhere, or drains before that. */
export const isMoving = (project: string) => `exists (select from project_moves where project_id = ${project})`

/** SQL: this project works elsewhere: nothing may be written for it here. */
export const isSealed = (project: string) =>
  `exists (select from project_moves where project_id = ${project} and sealed_at is not null)`

/** Throws `project_moving` for a caller of a project that is moved. */
export function demandHere(principal: Principal): void {
  if (principal.kind === 'key' && principal.movingTo !== undefined) throw projectMoving(principal.movingTo)
}

/** Throws `project_moving` for a project that is moved, for callers who belong to none. */
export async function demandProjectHere(sql: Sql, projectId: string): Promise<void> {
  const [move] = await sql<{ location: string | null }>(
    'select location from project_moves where project_id = $1::uuid',
    [projectId],
  )
  if (move !== undefined) throw projectMoving(move.location)
}

/** `location`: the base URL of the other installation, once it is told. */
const projectMoving = (location: string | null) =>
  new AppError('project_moving', undefined, location === null ? {} : { body: { location } })
