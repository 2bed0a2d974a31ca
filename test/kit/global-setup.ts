// Prepares the template that every test file clones, on a PostgreSQL that it starts or on that of TEST_DATABASE_URL.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/adapters/migrate.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { postgresTools } from '../../src/embedded/postgres-tools.ts'

export const template = 'quittance_template'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export const onDatabase = (url: string, name: string) =>
  Object.assign(new URL(url), { pathname: `/${name}` }).toString()

// npm passes no signal on when it is killed, so this process watches its parent. npm is the parent because the script
// runs by exec; without exec a shell would be between them, and a shell passes no signals on either.
function endWithNpm(): void {
  const npm = process.ppid
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid === npm || process.exit(1), 500).unref()
}

export default async function setup(project: TestProject) {
  // Runs for each project that uses it, one after the other: the first one starts PostgreSQL, and ends it at the end.
  const started = project.vitest.projects.map(other => other.getProvidedContext().postgresUrl).find(url => url)
  if (started !== undefined) {
    project.provide('postgresUrl', started)
    return
  }
  endWithNpm()
  const folder = await mkdtemp(join(tmpdir(), 'quittance-test-'))
  // Tests start the service hundreds of times in separate processes, which share the compiled code in this cache.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
  const { TEST_DATABASE_URL: given } = process.env
  const url = given || (await startPostgres(join(folder, 'postgres'), pino({ level: 'silent' }))).url
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`drop database if exists ${template}`)
  await admin.query(`create database ${template}`)
  // Nothing of this run has to survive a crash, so no commit waits for the disk.
  if (!given) await admin.query('alter system set fsync = off')
  await admin.query('select pg_reload_conf()')
  await admin.end()
  const pool = openPool(onDatabase(url, template), 2, console)
  await migrate(pool)
  await pool.end()
  project.provide('postgresUrl', url)
  return async () => {
    if (given) return rm(folder, { recursive: true })
    // Stops immediately: unwritten data is not needed, and writing it takes as long as some tests.
    const cluster = join(folder, 'postgres', 'cluster')
    const tools = await postgresTools(cluster)
    await tools.run('pg_ctl', ['stop', '-s', '-w', '-m', 'immediate', '-D', tools.clusterPath(cluster)], cluster)
    await rm(folder, { recursive: true, force: true })
  }
}
