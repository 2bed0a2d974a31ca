// Stops the work for a project, so that it can work in another installation: first callers' writes are refused and what
// is in progress is finished, then nothing is written any more.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { jobs } from '../../kit/jobs.ts'
import type { AuditEntry, Transaction } from '../../kit/transaction.ts'
import { inTransaction } from '../../kit/transaction.ts'

export type Move = { startedAt: Date; sealedAt: Date | null; location: string | null }

/** Returns null for a project that works here. */
export async function readMove(db: Pick<pg.ClientBase, 'query'>, projectId: string): Promise<Move | null> {
  const { rows } = await db.query<Move>(
    `select started_at as "startedAt", sealed_at as "sealedAt", location from project_moves where project_id = $1`,
    [projectId],
  )
  return rows[0] ?? null
}

const entry = (action: string, projectId: string, details: Record<string, unknown> = {}): AuditEntry => ({
  action,
  objectType: 'project',
  objectId: projectId,
  projectId,
  actor: 'operator',
  details,
})

/** Refuses callers' writes from now on. Harmless for a project that is moved already. */
export const startMove = (pool: pg.Pool, projectId: string): Promise<void> =>
  inTransaction({ pool }, async tx => {
    const made = await tx.sql(
      'insert into project_moves (project_id) values ($1::uuid) on conflict do nothing returning 1',
      [projectId],
    )
    if (made.length > 0) tx.audit(entry('project.move', projectId))
  })

// The service finishes this before a project can be sealed. Anchors that the project sends itself may wait for ever,
// and go with it; so do deliveries that wait, and payments that were settled and not answered.
const openSql = `
  select
    (select count(*) from receipts where project_id = $1 and status = 'pending')::int as "receipts to be sealed",
    (select count(*) from anchors a join receipts r on r.id = a.receipt_id
      where r.project_id = $1 and r.status = 'awaiting_anchor' and a.state in ('waiting', 'sent'))::int as "anchors of receipts",
    (select count(*) from anchors a join statements s on s.id = a.statement_id
      where s.project_id = $1 and a.state in ('waiting', 'sent'))::int as "anchors of statements",
    (select count(*) from anchors a join receipts r on r.id = a.settlement_id
      where r.project_id = $1 and a.state in ('waiting', 'sent'))::int as "anchors of later checks",
    (select count(*) from anchors a join agents g on g.id = a.agent_id
      where g.project_id = $1 and a.state in ('waiting', 'sent'))::int as "anchors of agents",
    (select count(*) from statements where project_id = $1 and status = 'pending')::int as "statements to be written",
    (select count(*) from payments where project_id = $1 and status in ('verified', 'settling'))::int as "payments in progress",
    (select count(*) from webhook_deliveries
      where project_id = $1 and lease_id is not null and next_attempt_at > now())::int as "webhook attempts in progress",
    (select count(*) from graphile_worker._private_jobs job where exists (
       select from json_array_elements_text(job.payload -> 'receipts') as named(id)
       join receipts r on r.id = named.id::uuid and r.project_id = $1
     ))::int as "jobs",
    (select count(*) from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
      where task.identifier = '${jobs.eraseObjects.task}')::int as "erasures in the object store"`

/** Returns what is still in progress for the project, by name; empty when it can be sealed. */
export async function openWork(pool: pg.Pool, projectId: string): Promise<[string, number][]> {
  const { rows } = await pool.query<Record<string, number>>(openSql, [projectId])
  return Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0)
}

const pollMs = 100

/**
 * Stops all writes of the project. Returns what was begun meanwhile, with which the project drains again; empty when it
 * is sealed.
 */
export async function seal(pool: pg.Pool, projectId: string): Promise<[string, number][]> {
  const { rows } = await pool.query<{ xid: string }>(
    `update project_moves set sealed_at = coalesce(sealed_at, now()) where project_id = $1
     returning pg_current_xact_id()::text as xid`,
    [projectId],
  )
  const [sealed] = rows
  if (sealed === undefined) throw new Error(`the project ${projectId} is not moved`)
  // Transactions that wrote before they could see the seal.
  while (!(await haveEnded(pool, sealed.xid))) await sleep(pollMs)
  const open = await openWork(pool, projectId)
  if (open.length > 0) await pool.query('update project_moves set sealed_at = null where project_id = $1', [projectId])
  return open
}

async function haveEnded(pool: pg.Pool, xid: string): Promise<boolean> {
  const { rows } = await pool.query<{ ended: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as ended',
    [xid],
  )
  return rows[0]?.ended === true
}

/** Tells callers where the project works now. Returns whether it is sealed here. */
export async function tellLocation(pool: pg.Pool, projectId: string, location: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update project_moves set location = $2 where project_id = $1 and sealed_at is not null',
    [projectId, location],
  )
  return rowCount === 1
}

/** Lets the project work here again. Returns whether it was moved. */
export const endMove = (pool: pg.Pool, projectId: string): Promise<boolean> =>
  inTransaction({ pool }, async tx => {
    const ended = await tx.sql('delete from project_moves where project_id = $1::uuid returning 1', [projectId])
    if (ended.length > 0) tx.audit(entry('project.return', projectId))
    return ended.length > 0
  })

/** Notes in the trail of an imported project from where it came. */
export const noteImport = (tx: Transaction, projectId: string, details: Record<string, unknown>) =>
  tx.audit(entry('project.import', projectId, details))
