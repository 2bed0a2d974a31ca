// The `write_export` task: writes the file of an export in parts, each in a transaction with the place that it reached,
// so that any worker continues behind the last part.
import type { Export } from '../../generated/prisma/client.ts'
import type { App } from '../../kit/context.ts'
import { jobs } from '../../kit/jobs.ts'
import { task } from '../../kit/task.ts'
import { inTransaction } from '../../kit/transaction.ts'
import { deflated } from '../artifacts/deflated.ts'
import { bytesOf } from './file.ts'
import { readPage } from './rows.ts'
import { keptHours, mostFailures } from './start.ts'

const rowsAtOnce = 2_000
// Each download has two parts in memory, for as long as its client likes.
const mostBytes = 128 * 1024
// Exports take turns, so that a small one need not wait for a large one.
const turnMs = 2_000

export const writeExport = task(jobs.writeExport, async (app, { export: id }) => {
  const end = Date.now() + turnMs
  for (;;) {
    const of = await app.db.export.findUnique({ where: { id } })
    if (of === null || of.finishedAt !== null || of.failedAt !== null) return
    if (Date.now() > end) return inTransaction(app, async tx => tx.job(jobs.writeExport({ export: id })))
    try {
      await writeRows(app, of)
    } catch (error) {
      if (!(await isGivenUp(app, of))) throw error
      app.log.error({ err: error, export: id }, 'an export was given up')
    }
  }
})

async function writeRows(app: App, of: Export): Promise<void> {
  const page = await readPage(app, of, rowsAtOnce)
  const bytes = bytesOf(of, page, of.size === 0n)
  const starts = Array.from({ length: Math.ceil(bytes.length / mostBytes) }, (_, n) => n * mostBytes)
  const parts = await Promise.all(starts.map(start => deflated(bytes.subarray(start, start + mostBytes))))
  await inTransaction(app, tx =>
    // Another worker may have written these rows, where this one was taken for dead.
    tx.sql(
      `with moved as (
         update exports set size = size + $3::int, row_count = row_count + $4::int, failures = 0,
           first_at = coalesce(first_at, $5::timestamptz), last_at = coalesce($6::timestamptz, last_at),
           last_id = coalesce($7::uuid, last_id),
           finished_at = case when $8::boolean then now() end,
           expires_at = case when $8::boolean then now() + interval '${keptHours} hours' else expires_at end
         where id = $1::uuid and size = $2::bigint and last_id is not distinct from $9::uuid and finished_at is null
         returning id
       )
       insert into export_parts (export_id, starts_at, bytes)
       select moved.id, $2::bigint + part.start, part.bytes
       from moved, unnest($10::int[], $11::bytea[]) as part(start, bytes)`,
      [
        ...[of.id, of.size, bytes.length, page.rows.length, page.first, page.last?.at ?? null, page.last?.id ?? null],
        // Rows may vanish while they are read, so only a page without any is the last.
        ...[page.last === null, of.lastId, starts, parts],
      ],
    ),
  )
}

/** Counts a failure. Returns whether it was one too many: the export then stays as it is. */
async function isGivenUp({ db }: App, { id, failures }: Export): Promise<boolean> {
  const isLast = failures + 1 >= mostFailures
  const ended = { failedAt: new Date(), expiresAt: new Date(Date.now() + keptHours * 3_600_000) }
  await db.export.updateMany({ where: { id, failures }, data: { failures: failures + 1, ...(isLast && ended) } })
  return isLast
}
