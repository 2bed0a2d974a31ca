// Applies the migrations of this program and those of graphile-worker under an advisory lock, records them in Prisma's
// own table, and grants the service's role its rights.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { grantRights } from './grants.ts'
import { type Migration, makesIndex, migrationState, olderPrograms, unfinishedIndexes } from './migrations.ts'

// The key of the advisory lock: an arbitrary number that no other lock of the service has.
const lock = 7_470
const turnMs = 500
// While a change of a table waits for its lock, all later statements on that table wait behind it. So it gives way to
// them, and tries again.
const lockWaitMs = 2_000
const lockPauseMs = 3_000
const lockPatienceMs = 1_800_000

// The same definition as Prisma's own.
const ledger = `create table _prisma_migrations (
  id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
  logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`

type Tell = (sentence: string) => void

type Options = {
  /** The role of the service, which gets the rights that it needs; null: the one that migrates, which has them. */
  grantTo?: string | null
  /** Is called with a sentence when something holds the work up. */
  tell?: Tell
  /** Is called after each migration. */
  applied?: (name: string, seconds: number) => void
  /** Cuts short what runs. The reason is thrown. */
  signal?: AbortSignal | null
}

/** `pool` has at least two connections. Returns the names of the applied migrations. */
export async function migrate(
  pool: pg.Pool,
  { grantTo = null, tell = () => {}, applied = () => {}, signal = null }: Options = {},
): Promise<string[]> {
  const client = await pool.connect()
  const cancel = () => void pool.query('select pg_cancel_backend($1)', [processOf(client)]).catch(() => undefined)
  signal?.addEventListener('abort', cancel)
  try {
    await takeTurn(client, tell, signal)
    await client.query(`set client_min_messages = warning; set statement_timeout = 0; set lock_timeout = ${lockWaitMs}`)
    // An operator may have made the extension in a schema of its own, as hosts of PostgreSQL do.
    await client.query(`select set_config('search_path', current_setting('search_path') || ', ' || quote_ident(n.nspname), false)
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`)
    // Not `create table if not exists`, which requires the right to create tables even when the table exists.
    const { rows: made } = await client.query(`select to_regclass('_prisma_migrations') is not null as "isThere"`)
    if (!made[0]?.isThere) await client.query(ledger)
    const { missing, ahead, refusal } = await migrationState(client)
    if (refusal !== null) throw new Error(refusal)
    for (const migration of missing) {
      signal?.throwIfAborted()
      await refuseBesideOlder(client, migration)
      const begun = performance.now()
      if (isConcurrent(migration)) await buildIndexes(client, migration, tell, signal)
      else await givingWay(client, tell, signal, () => apply(client, migration))
      applied(migration.name, (performance.now() - begun) / 1_000)
    }
    await givingWay(client, tell, signal, () => runMigrations({ pgPool: pool }))
    // A program that does not know all tables does not know which rights they need.
    if (grantTo !== null && ahead.length === 0) await grantRights(client, grantTo, tell)
    return missing.map(({ name }) => name)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
    // The connection is closed and not returned to the pool, because the lock and these settings end with it.
    client.release(true)
  }
}

async function refuseBesideOlder(client: pg.PoolClient, { name, oldestProgram }: Migration): Promise<void> {
  const older = oldestProgram === null ? [] : await olderPrograms(client, oldestProgram)
  if (older.length === 0) return
  throw new Error(
    `${name} takes away what versions before ${oldestProgram} use, and processes of ${older.join(', ')} run on this database: stop them, and migrate again`,
  )
}

/**
 * Waits while another process migrates. It asks again and again: a statement that waits for the lock would be an open
 * transaction, for which the other's CREATE INDEX CONCURRENTLY waits in turn.
 */
async function takeTurn(client: pg.PoolClient, tell: Tell, signal: AbortSignal | null): Promise<void> {
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted()
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isOurs"', [lock])
    if (rows[0]?.isOurs) return
    if (tries === 0) tell('Another process migrates this database: waiting for its end.')
    await sleep(turnMs)
  }
}

// `pg` does not type it.
const processOf = (client: pg.PoolClient): number => Number('processID' in client ? client.processID : 0)

const isBlocked = (error: unknown): boolean =>
  error instanceof Error &&
  ((error instanceof pg.DatabaseError && ['55P03', '40P01'].includes(error.code ?? '')) || isBlocked(error.cause))

/** Repeats the work while other transactions have the locks that it needs. */
async function givingWay<T>(
  client: pg.PoolClient,
  tell: Tell,
  signal: AbortSignal | null,
  work: () => Promise<T>,
): Promise<T> {
  for (const deadline = Date.now() + lockPatienceMs; ; await sleep(lockPauseMs)) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isBlocked(error) || Date.now() > deadline) throw error
      tell(`A table is in use: trying again in ${lockPauseMs / 1_000} s. ${await oldestTransaction(client)}`.trimEnd())
    }
  }
}

async function oldestTransaction(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ pid: number; role: string; program: string; seconds: number }>(
    `select pid, usename as role, application_name as program, extract(epoch from now() - xact_start)::int as seconds
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  )
  const [oldest] = rows
  // PostgreSQL hides the times of other roles’ transactions.
  if (oldest === undefined) return 'A role with pg_read_all_stats would see which transaction is the oldest.'
  return `The oldest transaction has lasted ${oldest.seconds} s (process ${oldest.pid}, role ${oldest.role}, program ${oldest.program || 'without name'}).`
}

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  const { name, sql } = migration
  await client.query('begin')
  try {
    await client.query(sql)
    const unfinished = (await unfinishedIndexes(client)).find(index => makesIndex(sql, index))
    if (unfinished !== undefined)
      throw new Error(`The index ${unfinished} was not built completely: drop it, and migrate again.`)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`the migration ${name} failed, and changed nothing`, { cause: error })
  }
}

const record = (client: pg.PoolClient, { name, checksum, oldestProgram }: Migration) =>
  client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, logs, finished_at, applied_steps_count)
     values ($1, $2, $3, $4, now(), 1)`,
    [randomUUID(), checksum, name, oldestProgram && `Oldest program: ${oldestProgram}`],
  )

/** Whether the migration only builds or drops indexes while others write, which PostgreSQL does in no transaction. */
const isConcurrent = ({ sql }: Migration) => /^(create|drop) (unique )?index concurrently /im.test(sql)

/** Runs each statement by itself. After a crash, those that were carried out change nothing. */
async function buildIndexes(
  client: pg.PoolClient,
  migration: Migration,
  tell: Tell,
  signal: AbortSignal | null,
): Promise<void> {
  // It blocks nobody while it waits.
  await client.query('set lock_timeout = 0')
  try {
    for (const statement of migration.sql.split(/;\s*$/m).filter(text => text.trim() !== '')) {
      const index = /^create .*?concurrently if not exists "?(\w+)/im.exec(statement)?.[1] ?? null
      if (index !== null) await dropUnfinished(client, index, tell, signal)
      await client.query(statement)
    }
    await record(client, migration)
  } catch (error) {
    throw new Error(`the migration ${migration.name} failed; the next run goes on with it`, { cause: error })
  } finally {
    await client.query(`set lock_timeout = ${lockWaitMs}`)
  }
}

/** Drops what a crash left of an index, and waits for one that somebody builds by hand. */
async function dropUnfinished(
  client: pg.PoolClient,
  index: string,
  tell: Tell,
  signal: AbortSignal | null,
): Promise<void> {
  for (let tries = 0; (await unfinishedIndexes(client)).includes(index); tries++) {
    signal?.throwIfAborted()
    const { rowCount } = await client.query(
      'select from pg_stat_progress_create_index where index_relid = to_regclass(quote_ident($1))',
      [index],
    )
    if (rowCount === 0) {
      tell(`The index ${index} was not built completely: it is built again.`)
      await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(index)}`)
      return
    }
    if (tries === 0) tell(`Somebody builds the index ${index}: waiting for its end.`)
    await sleep(turnMs)
  }
}
