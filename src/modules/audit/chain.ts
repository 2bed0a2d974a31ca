// Verifies the hash chain of audit rows without the database's own functions. A row's hash is SHA-256 over the previous
// hash (empty for the first row) and the row's values, each as its length in bytes, a colon, the value and a comma.
import { createHash } from 'node:crypto'
import type { Sql } from '../../kit/transaction.ts'

/** Values in the database's text form; hashes in hex without 0x. */
type Row = { chain: string; seq: string; hash: string; values: string[] }

export type ChainReport = {
  /** A project's UUID, or `service`. */
  chain: string
  /** The number of the last intact row. */
  rows: number
  /** The first fault; null when the chain is intact. */
  fault: string | null
}

const hashOf = (before: string, values: string[]): string =>
  createHash('sha256')
    .update([before, ...values].map(value => `${Buffer.byteLength(value)}:${value},`).join(''))
    .digest('hex')

const chainOf = `coalesce(project_id::text, 'service')`
// Other requests are served between two batches.
const rowsAtOnce = 500

const rowsSql = `
  select ${chainOf} as chain, seq::text, encode(hash, 'hex') as hash,
    array[seq::text, id::text, action, object_type, object_id, coalesce(project_id::text, ''), actor, details::text,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')] as values
  from audit_events where project_id is not distinct from $1::uuid and seq > $2::bigint order by audit_events.seq limit ${rowsAtOnce}`

/** The last row of a chain that was verified, from which a later verification continues. */
export type Reached = { seq: bigint; hash: string }

const beginning: Reached = { seq: 0n, hash: '' }

/**
 * Verifies every row behind `after` up to the chain's head. `read` receives the size of each batch, with the last row
 * before it, and aborts by throwing.
 */
export async function verifyChain(
  sql: Sql,
  projectId: string | null,
  read: (rows: number, verified: Reached) => void = () => undefined,
  after = beginning,
): Promise<ChainReport> {
  const chain = projectId ?? 'service'
  const [head] = await sql<{ seq: string; hash: string }>(
    `select seq::text, encode(hash, 'hex') as hash from audit_heads where chain = $1::text`,
    [chain],
  )
  let { seq, hash } = after
  const broken = (fault: string): ChainReport => ({ chain, rows: Number(seq), fault })
  for (;;) {
    const rows = await sql<Row>(rowsSql, [projectId, seq.toString()])
    read(rows.length, { seq, hash })
    for (const row of rows) {
      if (BigInt(row.seq) !== seq + 1n) return broken(`Row ${seq + 1n} is missing.`)
      if (hashOf(hash, row.values) !== row.hash) return broken(`Row ${row.seq} is not as it was written.`)
      seq += 1n
      hash = row.hash
    }
    if (rows.length < rowsAtOnce) break
  }
  if (BigInt(head?.seq ?? 0) < after.seq) return broken(`Row ${after.seq} is missing.`)
  // Rows may have been added since the head was read, but the row that the head names must exist.
  if (BigInt(head?.seq ?? 0) > seq) return broken(`Rows after ${seq} are missing.`)
  if (head !== undefined && BigInt(head.seq) === seq && head.hash !== hash)
    return broken('The end is not as it was written.')
  if (head === undefined && seq > 0n) return broken('The end of the chain is missing.')
  return { chain, rows: Number(seq), fault: null }
}

/** The chains of the service and of every project that has audit rows or a chain head, each with its number of rows. */
export const chainsIn = (sql: Sql) =>
  sql<{ chain: string; rows: number }>(
    `select chain, coalesce(max(seq), 0)::float8 as rows
     from (select chain, seq from audit_heads union all select distinct ${chainOf}, 0 from audit_events) as chains
     group by chain order by chain`,
  )
