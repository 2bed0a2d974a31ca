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
import { keptHours } from './start.ts'

// Less than a megabyte, which a download has in memory.
const rowsOfPart = 2_000
// Exports take turns, so that a small one need not wait for a large one.
const turnMs = 2_000

export const writeExport = task(jobs.writeExport, async (app, { export: id }) => {
  const end = Date.now() + turnMs
  for (;;) {
    const of = await app.db.export.findUnique({ where: { id } })
    if (of === null || of.finishedAt !== null) return
    if (Date.now() > end) return inTransaction(app, async tx => tx.job(jobs.writeExport({ export: id })))
    await writePart(app, of)
  }
})

async function writePart(app: App, of: Export): Promise<void> {
  const page = await readPage(app, of, rowsOfPart)
  const bytes = bytesOf(of, page, of.partCount === 0)
  const stored = await deflated(bytes)
  const isLast = page.rows.length < rowsOfPart
  await inTransaction(app, tx =>
    // Another worker may have written the part, where this one was taken for dead.
    tx.sql(
      `with moved as (
         update exports set part_count = part_count + 1, row_count = row_count + $3::int,
           first_at = coalesce(first_at, $4::timestamptz), last_at = coalesce($5::timestamptz, last_at),
           last_id = coalesce($6::uuid, last_id),
           finished_at = case when $7::boolean then now() end,
           expires_at = case when $7::boolean then now() + interval '${keptHours} hours' else expires_at end
         where id = $1::uuid and part_count = $2::int and finished_at is null returning id
       )
       insert into export_parts (export_id, number, bytes, size) select id, $2::int, $8::bytea, $9::int from moved`,
      [
        ...[of.id, of.partCount, page.rows.length, page.first, page.last?.at ?? null, page.last?.id ?? null],
        ...[isLast, stored, bytes.length],
      ],
    ),
  )
}
