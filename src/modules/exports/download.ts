// Reads the file of an export part by part.
import type { App } from '../../kit/context.ts'
import { inflated } from '../artifacts/deflated.ts'

/** Yields the bytes from `start` to before `end`. Throws when the export is deleted meanwhile. */
export async function* bytesBetween({ pool }: App, id: string, start: number, end: number) {
  for (let at = start; at < end; ) {
    const { rows } = await pool.query<{ startsAt: string; bytes: Buffer }>(
      `select starts_at::text as "startsAt", bytes from export_parts
       where export_id = $1 and starts_at <= $2 order by starts_at desc limit 1`,
      [id, at],
    )
    const [part] = rows
    if (part === undefined) throw new Error('the export was deleted during its download')
    const before = Number(part.startsAt)
    const bytes = (await inflated(part.bytes)).subarray(at - before, end - before)
    if (bytes.length === 0) throw new Error('a part of the export is missing')
    yield bytes
    at += bytes.length
  }
}
