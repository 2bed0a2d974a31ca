// Shared by export-project and import-project: the database and the object store of the settings, and lines of
// progress.
import type pg from 'pg'
import { openPool } from '../adapters/pg-pool.ts'
import { createS3Store } from '../adapters/s3-store.ts'
import { AppError } from '../core/errors.ts'
import { readDotEnv } from '../dot-env.ts'
import { EnvError, readEnv } from '../env.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import { CommandError, UsageError } from './command.ts'
import type { Progress } from './progress.ts'

type Place = { pool: pg.Pool; blobStore: BlobStore | null }

export async function withDatabase(work: (place: Place) => Promise<number>): Promise<number> {
  const { databaseUrl, s3 } = settings()
  const pool = openPool(databaseUrl, 4, { warn: () => {} })
  await pool.query('select 1').catch(error => {
    throw new CommandError('PostgreSQL cannot be used.', { cause: error })
  })
  try {
    return await work({ pool, blobStore: s3 === null ? null : createS3Store(s3) })
  } catch (error) {
    if (error instanceof AppError) throw new CommandError(error.message, { cause: error.cause })
    throw error
  } finally {
    await pool.end()
  }
}

function settings() {
  try {
    const { DATABASE_URL: databaseUrl, s3 } = readEnv(process.env, readDotEnv(process.env))
    if (databaseUrl === null) throw new UsageError('DATABASE_URL is not set: the database of the projects.')
    return { databaseUrl, s3 }
  } catch (error) {
    if (error instanceof EnvError) throw new UsageError(`These settings cannot be used:\n${error.message}`)
    throw error
  }
}

/** Counts the rows and files of the work; throws once it is asked to stop. */
export const counting =
  ({ signal, add }: Progress) =>
  (count: number): void => {
    signal.throwIfAborted()
    add(count)
  }
