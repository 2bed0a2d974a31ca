// Starts the PostgreSQL of this run and prepares the template that every test file clones.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/adapters/migrate.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'

export const template = 'quittance_template'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export const onDatabase = (url: string, name: string) =>
  Object.assign(new URL(url), { pathname: `/${name}` }).toString()

export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-test-'))
  const postgres = await startPostgres(join(folder, 'postgres'), pino({ level: 'silent' }))
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query(`create database ${template}`)
  await admin.end()
  const pool = openPool(onDatabase(postgres.url, template), 2, console)
  await migrate(pool)
  await pool.end()
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
