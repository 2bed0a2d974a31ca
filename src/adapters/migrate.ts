// Applies prisma/migrations under an advisory lock and records them in Prisma's own table, then applies those of
// graphile-worker.
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'

const directory = new URL('../../prisma/migrations/', import.meta.url)
// The key of the advisory lock: an arbitrary number that no other lock of the service has.
const lock = 7_470

// The same definition as Prisma's own.
const ledger = `create table _prisma_migrations (
  id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
  logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`

export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    await client.query('set client_min_messages = warning')
    // An operator may have made the extension in a schema of its own, as hosts of PostgreSQL do.
    await client.query(`select set_config('search_path', current_setting('search_path') || ', ' || quote_ident(n.nspname), false)
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`)
    // Not `create table if not exists`, which requires the right to create tables even when the table exists.
    const { rows: made } = await client.query(`select to_regclass('_prisma_migrations') is not null as "isThere"`)
    if (!made[0]?.isThere) await client.query(ledger)
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select migration_name as name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
    )
    const applied = new Map(rows.map(row => [row.name, row.checksum]))
    const known = await migrations()
    const unknown = [...applied.keys()].find(name => !known.some(migration => migration.name === name))
    if (unknown !== undefined)
      throw new Error(`the database is newer than this program: it has the unknown migration ${unknown}`)
    for (const migration of known) if (!applied.has(migration.name)) await apply(client, migration)
  } finally {
    // The connection is closed and not returned to the pool, because the lock and these settings end with it.
    client.release(true)
  }
  await runMigrations({ pgPool: pool })
}

type Migration = { name: string; sql: string; checksum: string }

/** Returns the migrations in the order in which they are applied. */
export async function migrations(): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries.filter(entry => entry.isDirectory()).map(entry => entry.name)
  return Promise.all(
    names.sort().map(async name => {
      const sql = await readFile(new URL(`${name}/migration.sql`, directory), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) values ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`the migration ${name} failed`, { cause: error })
  }
}
