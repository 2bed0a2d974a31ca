// Starts an export, whose file the worker writes.
import { randomBytes, randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { ownedBy } from '../../core/principal.ts'
import { jobs } from '../../kit/jobs.ts'
import { verb } from '../../kit/verb.ts'
import { startExportInput } from './input.ts'

/** Exports of a project that are written at one time. */
const mostAtOnce = 2
/** Finished exports of a project: the oldest is deleted for one more. */
export const mostKept = 10
export const keptHours = 24
/** One part that cannot be written so often, which takes some minutes, ends the export. */
export const mostFailures = 8
// One that no worker writes is deleted by then.
const longestDays = 7

/** Errors: `conflict` when two exports of the project are being written, `validation_failed`. */
export const startExport = verb({
  name: 'export.start',
  access: 'read',
  input: startExportInput,
  async run(tx, { kind, format, receiptFilter, paymentFilter }, { principal }) {
    const { projectId = null } = ownedBy(principal)
    // Locks the project, so that two concurrent calls cannot both see room for one more export.
    if (projectId !== null) await tx.sql('select id from projects where id = $1::uuid for no key update', [projectId])
    const running = await tx.db.export.count({ where: { projectId, finishedAt: null, failedAt: null } })
    if (running >= mostAtOnce)
      throw new AppError('conflict', `${running} exports are being written. Wait until one of them is finished.`)
    await tx.sql(
      `delete from exports where id in (
         select id from exports
         where project_id is not distinct from $1::uuid and coalesce(finished_at, failed_at) is not null
         order by created_at desc, id desc offset $2::int
       )`,
      [projectId, mostKept - 1 - running],
    )
    const id = randomUUID()
    const filter = receiptFilter ?? paymentFilter ?? {}
    // By the clock of the database, as receipts have it, which rounds to milliseconds.
    const [{ now } = { now: new Date() }] = await tx.sql<{ now: Date }>(
      `select now() + interval '1 millisecond' as now`,
    )
    const result = await tx.db.export.create({
      data: {
        id,
        createdAt: now,
        projectId,
        kind,
        format,
        filter: JSON.parse(JSON.stringify(filter)),
        expiresAt: new Date(Date.now() + longestDays * 86_400_000),
        secret: randomBytes(32),
      },
    })
    tx.job(jobs.writeExport({ export: id }))
    const details = { kind, format, filter }
    return { result, audit: [{ objectType: 'export', objectId: id, projectId, details }] }
  },
})
