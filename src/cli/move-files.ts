// `quittance move-files`: moves the bytes of files from the database into the object store, or back, while the service
// runs.
import type pg from 'pg'
import { z } from 'zod'
import { openPool } from '../adapters/pg-pool.ts'
import { createS3Store } from '../adapters/s3-store.ts'
import { AppError } from '../core/errors.ts'
import { readDotEnv } from '../dot-env.ts'
import { EnvError, readEnv } from '../env.ts'
import { deflated, type StoredBytes, storedFile } from '../modules/artifacts/deflated.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import { CommandError, command, readArguments, Stopped, UsageError } from './command.ts'
import { type Progress, withProgress } from './progress.ts'

const usage = `usage: quittance move-files [--back]

  --back  from the object store into the database

Reads DATABASE_URL and the settings S3_… as a start does. Without --back all file bytes in the database are moved into
the object store; each file stays in the database until the store has it. With --back all are moved into the database,
and the objects stay. The command may be repeated, and may run while the service runs: files that the service writes
meanwhile are stored where its settings say. It may be stopped at any time, and continues when it is repeated.
Exit code: 0 when all are moved, 1 when some could not be moved, 2 for wrong usage, 130 when it was stopped.`

const options = { back: { type: 'boolean' } } as const
// A page of a statement can have more than a megabyte.
const atOnce = 16

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { values } = readArguments(args, options, z.object({ back: z.boolean().default(false) }))
    const { databaseUrl, s3 } = settings()
    const pool = openPool(databaseUrl, 4, { warn: () => {} })
    await pool.query('select 1').catch(error => {
      throw new CommandError('PostgreSQL cannot be used.', { cause: error })
    })
    try {
      const total = await remaining(pool, values.back)
      const { moved, damaged } = await withProgress('files', total, progress =>
        (values.back ? inward : outward)(pool, createS3Store(s3), progress),
      )
      console.log(`${moved} files moved ${values.back ? 'into the database' : 'into the object store'}.`)
      for (const sha256 of damaged) console.log(`DAMAGED ${sha256}: missing or changed.`)
      return damaged.length === 0 ? 0 : 1
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new CommandError(error.message, { cause: error.cause })
    } finally {
      await pool.end()
    }
  })

function settings() {
  try {
    const { DATABASE_URL: databaseUrl, s3 } = readEnv(process.env, readDotEnv(process.env))
    if (databaseUrl === null) throw new UsageError('DATABASE_URL is not set: the database that names the files.')
    if (s3 === null) throw new UsageError('S3_ENDPOINT is not set: the object store.')
    return { databaseUrl, s3 }
  } catch (error) {
    if (error instanceof EnvError) throw new UsageError(`These settings cannot be used:\n${error.message}`)
    throw error
  }
}

async function remaining(pool: pg.Pool, isBack: boolean): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from blobs where (bytes is null) = $1 and erased_at is null',
    [isBack],
  )
  return rows[0]?.count ?? 0
}

type Outcome = { moved: number; damaged: string[] }

async function outward(pool: pg.Pool, store: BlobStore, progress: Progress): Promise<Outcome> {
  const damaged: string[] = []
  const text = `select sha256, bytes, is_deflated as "isDeflated" from blobs
    where bytes is not null and erased_at is null and sha256 > $1 order by sha256 limit $2`
  const seen = await inTurn<StoredBytes>(pool, text, progress, async stored => {
    try {
      const file = await storedFile(stored)
      await store.write(stored.sha256, file)
      const { rows } = await pool.query<{ isErased: boolean }>(
        `update blobs set bytes = case when erased_at is null then null else bytes end, is_deflated = false,
           size = case when erased_at is null then $2::int end
         where sha256 = $1 and bytes is not null returning erased_at is not null as "isErased"`,
        [stored.sha256, file.length],
      )
      // The erasure found it in the database, and not in the store.
      if (rows[0]?.isErased) await store.erase(stored.sha256)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'file_damaged')) throw error
      damaged.push(stored.sha256)
    }
  })
  return { moved: seen - damaged.length, damaged }
}

async function inward(pool: pg.Pool, store: BlobStore, progress: Progress): Promise<Outcome> {
  const damaged: string[] = []
  const text = 'select sha256, size from blobs where bytes is null and sha256 > $1 order by sha256 limit $2'
  const seen = await inTurn<{ sha256: string; size: number }>(pool, text, progress, async ({ sha256, size }) => {
    try {
      const values = [sha256, await deflated(await store.read(sha256, size))]
      await pool.query(
        'update blobs set bytes = $2, is_deflated = true, size = null where sha256 = $1 and bytes is null',
        values,
      )
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'file_damaged')) throw error
      damaged.push(sha256)
    }
  })
  return { moved: seen - damaged.length, damaged }
}

/** Moves the rows in batches, in the order of their hashes. Returns how many there were. */
async function inTurn<Row extends { sha256: string }>(
  pool: pg.Pool,
  text: string,
  progress: Progress,
  move: (row: Row) => Promise<void>,
): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    if (progress.signal.aborted)
      throw new Stopped('Stopped. The files moved so far stay moved: the same command continues with the others.')
    const { rows } = await pool.query<Row>(text, [after, atOnce])
    const last = rows.at(-1)
    if (last === undefined) return count
    await Promise.all(rows.map(move))
    count += rows.length
    progress.add(rows.length)
    after = last.sha256
  }
}
