// Writes the rows of a test directly to their tables.
import type pg from 'pg'

export type Row = Record<string, unknown>
export type Rows = Record<string, Row[]>

/** No trigger runs and no foreign key is checked, so that each value is that of its row, whatever the order. */
export async function write(pool: pg.Pool, rows: Rows): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const [table, members] of Object.entries(rows)) {
      const columns = Object.keys(members[0] ?? {}).map(name => `"${name}"`)
      await client.query(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [JSON.stringify(members)],
      )
    }
    await client.query('select receipt_recount()')
    await client.query('analyze')
  } finally {
    await client.query('set session_replication_role = default')
    client.release()
  }
}
