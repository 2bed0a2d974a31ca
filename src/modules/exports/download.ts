// Reads the file of an export part by part.
import type { App } from '../../kit/context.ts'
import { inflated } from '../artifacts/deflated.ts'

type Part = { number: number; size: number }

/** The parts of a file, in their order. */
export async function partsOf({ pool }: App, id: string): Promise<Part[]> {
  const { rows } = await pool.query<Part>(
    'select number, size from export_parts where export_id = $1 order by number',
    [id],
  )
  return rows
}

export const sizeOf = (parts: readonly Part[]): number => parts.reduce((sum, { size }) => sum + size, 0)

/** Yields the bytes from `start` to before `end`. Throws when the export is deleted meanwhile. */
export async function* bytesBetween({ pool }: App, id: string, parts: readonly Part[], start: number, end: number) {
  let before = 0
  for (const { number, size } of parts) {
    const [from, to] = [Math.max(start - before, 0), Math.min(end - before, size)]
    before += size
    if (from >= to) continue
    const { rows } = await pool.query<{ bytes: Buffer }>(
      'select bytes from export_parts where export_id = $1 and number = $2',
      [id, number],
    )
    if (rows[0] === undefined) throw new Error('the export was deleted during its download')
    yield (await inflated(rows[0].bytes)).subarray(from, to)
  }
}
