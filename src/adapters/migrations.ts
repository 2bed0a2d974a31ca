// The migrations of this program, those that a database holds, and whether the two fit.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import packageJson from '../../package.json' with { type: 'json' }

const directory = new URL('../../prisma/migrations/', import.meta.url)

export type Migration = {
  name: string
  sql: string
  checksum: string
  /** The first version of the program that runs on the migrated schema; null: those of the schema before do, too. */
  oldestProgram: string | null
}

export type MigrationState = {
  known: readonly Migration[]
  /** The migrations that the database lacks. */
  missing: readonly Migration[]
  /** The names of those that the database has and this program does not know. This program may run beside them. */
  ahead: readonly string[]
  isEmpty: boolean
  /** Why this program must not use the database, in sentences; null: it may. */
  refusal: string | null
}

type Db = pg.Pool | pg.PoolClient | pg.Client

// The migrations of the development versions, hashed with their checksums. They made what the first migration makes.
const beforeFirst = 'f34f8baf12daa771b5dda53ce787d72bb49ead0bcca9cf862d1404e9fbdacd45'
const lastBeforeFirst = '20261212000000_numbers_by_index'

// The checksums of files that were changed before 0.1.0: counters by time (twice), search and exports.
const early = new Set([
  '89f7843a406374acf4ea20d8faa99a94b82d37d286b2dfde9895badc7eaf4727',
  'dde20d97295d6c56ee06e452050e7561d781544e9b559039379aa86655245ac4',
  '1cfb309e9f98ee4dbb584ebf25f0444f83f87181c520171df9538050dbb60cf2',
  'd5a9d88531284c0553b5c0478aeec8f2e343c75cbb89c384d98c6cc6a56a3969',
])

/** Compares the database with the migrations of this program. */
export async function migrationState(db: Db): Promise<MigrationState> {
  const [known, applied] = await Promise.all([migrations(), appliedTo(db)])
  const isEmpty = applied.length === 0
  const [first, ...later] = known
  const list = applied.map(({ name, checksum }) => `${name} ${checksum}`).join('\n')
  if (first !== undefined && createHash('sha256').update(list).digest('hex') === beforeFirst) {
    const missing = [{ ...first, sql: 'delete from _prisma_migrations' }, ...later]
    return { known, missing, ahead: [], isEmpty, refusal: null }
  }
  const missing = known.filter(({ name }) => !applied.some(row => row.name === name))
  const unknown = applied.filter(({ name }) => !known.some(migration => migration.name === name))
  const ahead = unknown.map(({ name }) => name)
  return { known, missing, ahead, isEmpty, refusal: refusalOf(known, applied, unknown) }
}

function refusalOf(
  known: readonly Migration[],
  applied: readonly Applied[],
  unknown: readonly Applied[],
): string | null {
  const changed = applied.find(row =>
    known.some(({ name, checksum }) => name === row.name && checksum !== row.checksum),
  )
  if (changed !== undefined && !early.has(changed.checksum))
    return `The file of the migration ${changed.name} was changed after this database had applied it. Restore the file, and make the change in a migration of its own.`
  // Names are an order. A program that has later migrations would have this one, too, had it been released.
  const last = known.at(-1)?.name ?? ''
  const isOlder = changed !== undefined || unknown.some(({ name }) => name < last)
  if (isOlder) {
    const wayOut =
      changed !== undefined || unknown.some(({ name }) => name === lastBeforeFirst)
        ? ''
        : ` To keep it, start the last commit with prisma/migrations/${lastBeforeFirst} on it once, and then this one.`
    return `The database is older than this program: it is of a development version before 0.1.0, which no migration changes into a released one. Begin with an empty one: set DATABASE_URL to it, or delete the folder postgres in DATA_DIR.${wayOut}`
  }
  const contracted = unknown.find(({ oldestProgram }) => isOlderThan(packageJson.version, oldestProgram))
  if (contracted === undefined) return null
  return `The database is newer than this program: since ${contracted.name} it needs version ${contracted.oldestProgram} or later, and this is ${packageJson.version}. Update the program.`
}

/** Whether a version such as 0.1.0 is before another. */
export const isOlderThan = (version: string, other: string | null): boolean =>
  other !== null && lockOf(version) < lockOf(other)

/** The class of the advisory locks by which each process shows its version; the other half is `lockOf` it. */
export const programLockClass = 7_475

export function lockOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return (major * 1_000 + minor) * 1_000 + patch
}

/** Returns the versions before `version` of which processes run on this database now. */
export async function olderPrograms(db: Db, version: string): Promise<string[]> {
  const { rows } = await db.query<{ lock: number }>(
    `select distinct objid::int as lock from pg_locks where locktype = 'advisory' and objsubid = 2 and classid = $1
       and database = (select oid from pg_database where datname = current_database()) and objid::bigint < $2 order by 1`,
    [programLockClass, lockOf(version)],
  )
  return rows.map(({ lock }) => [Math.floor(lock / 1e6), Math.floor(lock / 1e3) % 1e3, lock % 1e3].join('.'))
}

type Applied = Pick<Migration, 'name' | 'checksum' | 'oldestProgram'>

async function appliedTo(db: Db): Promise<Applied[]> {
  const { rows: made } = await db.query(`select to_regclass('_prisma_migrations') is not null as "isThere"`)
  if (!made[0]?.isThere) return []
  const { rows } = await db.query<Applied>(
    `select migration_name as name, checksum, substring(logs from '${oldestProgram.source}') as "oldestProgram"
     from _prisma_migrations where finished_at is not null and rolled_back_at is null order by migration_name collate "C"`,
  )
  return rows
}

export const mustMigrate =
  'The database lacks tables or columns that this version needs: run node bin/quittance.js migrate, and then start again.'

/** Whether the database lacks migrations of this program, or of its graphile-worker. */
export async function isBehind(db: Db): Promise<boolean> {
  const { missing } = await migrationState(db)
  return missing.length > 0 || (await queueLevel(db)) < (await newestQueueLevel())
}

/** Returns the number of the last migration of graphile-worker. */
async function queueLevel(db: Db): Promise<number> {
  const { rows: made } = await db.query(`select to_regclass('graphile_worker.migrations') is not null as "isThere"`)
  if (!made[0]?.isThere) return 0
  const { rows } = await db.query<{ level: number }>(
    'select coalesce(max(id), 0) as level from graphile_worker.migrations',
  )
  return rows[0]?.level ?? 0
}

async function newestQueueLevel(): Promise<number> {
  const files = await readdir(new URL('../sql/', import.meta.resolve('graphile-worker')))
  return Math.max(...files.map(file => Number.parseInt(file, 10)))
}

/** Returns the indexes that PostgreSQL does not use, because they are being built or building them was cut short. */
export async function unfinishedIndexes(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
     where not indisvalid and relnamespace = current_schema()::regnamespace order by relname`,
  )
  return rows.map(({ name }) => name)
}

/** Whether SQL makes this index, or takes one that is there. */
export const makesIndex = (sql: string, index: string) => sql.split(/\W+/).includes(index)

// A line of a migration that takes something away, and of its row in the ledger.
const oldestProgram = /Oldest program: (\d+\.\d+\.\d+)/

/** Returns the migrations in the order in which they are applied. */
export async function migrations(): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const names = entries.filter(entry => entry.isDirectory()).map(entry => entry.name)
  return Promise.all(
    names.sort().map(async name => {
      const sql = await readFile(new URL(`${name}/migration.sql`, directory), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name, sql, checksum, oldestProgram: oldestProgram.exec(sql)?.[1] ?? null }
    }),
  )
}
