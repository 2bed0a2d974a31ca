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
    const { missing, refusal } = await migrationState(client)
    if (refusal !== null) throw new Error(refusal)
    for (const migration of missing) await apply(client, migration)
  } finally {
    // The connection is closed and not returned to the pool, because the lock and these settings end with it.
    client.release(true)
  }
  await runMigrations({ pgPool: pool })
}

type Migration = { name: string; sql: string; checksum: string }

type MigrationState = {
  known: readonly Migration[]
  /** The migrations that the database lacks. */
  missing: readonly Migration[]
  isEmpty: boolean
  /** Why this program must not use the database, in sentences; null: it may. */
  refusal: string | null
}

// The migrations of the development versions, hashed with their checksums. They made what the first migration makes.
const beforeFirst = 'f34f8baf12daa771b5dda53ce787d72bb49ead0bcca9cf862d1404e9fbdacd45'
const lastBeforeFirst = '20261212000000_numbers_by_index'

/** Compares the database with the migrations of this program. */
export async function migrationState(db: pg.Pool | pg.PoolClient | pg.Client): Promise<MigrationState> {
  const [known, applied] = await Promise.all([migrations(), appliedTo(db)])
  const isEmpty = applied.length === 0
  const [first, ...later] = known
  const list = applied.map(({ name, checksum }) => `${name} ${checksum}`).join('\n')
  if (first !== undefined && createHash('sha256').update(list).digest('hex') === beforeFirst) {
    const missing = [{ ...first, sql: 'delete from _prisma_migrations' }, ...later]
    return { known, missing, isEmpty, refusal: null }
  }
  const missing = known.filter(({ name }) => !applied.some(row => row.name === name))
  return { known, missing, isEmpty, refusal: refusalOf(known, applied) }
}

function refusalOf(known: readonly Migration[], applied: readonly Applied[]): string | null {
  const changed = applied.find(row =>
    known.some(({ name, checksum }) => name === row.name && checksum !== row.checksum),
  )
  if (changed !== undefined)
    return `The file of the migration ${changed.name} was changed after this database had applied it. Restore the file, and make the change in a migration of its own.`
  const unknown = applied.map(({ name }) => name).filter(name => !known.some(migration => migration.name === name))
  if (unknown.length === 0) return null
  const later = unknown.filter(name => name > (known[0]?.name ?? ''))
  if (later.length > 0)
    return `The database is newer than this program: it holds ${later.join(', ')}. Update the program.`
  const wayOut = unknown.includes(lastBeforeFirst)
    ? ''
    : ` To keep it, start the last commit with prisma/migrations/${lastBeforeFirst} on it once, and then this one.`
  return `The database is of a development version before 0.1.0. Begin with an empty one: set DATABASE_URL to it, or delete the folder postgres in DATA_DIR.${wayOut}`
}

type Applied = Pick<Migration, 'name' | 'checksum'>

async function appliedTo(db: pg.Pool | pg.PoolClient | pg.Client): Promise<Applied[]> {
  const { rows: made } = await db.query(`select to_regclass('_prisma_migrations') is not null as "isThere"`)
  if (!made[0]?.isThere) return []
  const { rows } = await db.query<Applied>(
    `select migration_name as name, checksum from _prisma_migrations
     where finished_at is not null and rolled_back_at is null order by migration_name collate "C"`,
  )
  return rows
}

/** Returns the indexes that PostgreSQL does not use, because they are being built or building them was cut short. */
export async function unfinishedIndexes(db: pg.PoolClient | pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
     where not indisvalid and relnamespace = current_schema()::regnamespace order by relname`,
  )
  return rows.map(({ name }) => name)
}

/** Whether SQL makes this index, or takes one that is there. */
export const makesIndex = (sql: string, index: string) => sql.split(/\W+/).includes(index)

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
    const unfinished = (await unfinishedIndexes(client)).find(index => makesIndex(sql, index))
    if (unfinished !== undefined)
      throw new Error(`The index ${unfinished} was not built completely: drop it, and migrate again.`)
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
