// `quittance migrate`: applies the migrations with the role that owns the tables, and grants the service's role its
// rights.
import pg from 'pg'
import { z } from 'zod'
import { missingRights } from '../adapters/database-rights.ts'
import { migrate } from '../adapters/migrate.ts'
import { isBehind, migrationState } from '../adapters/migrations.ts'
import { openPool } from '../adapters/pg-pool.ts'
import { clientsOf } from '../adapters/pg-primary.ts'
import { readDotEnv } from '../dot-env.ts'
import { EnvError, readDatabaseUrls } from '../env.ts'
import { CommandError, command, readArguments, Stopped, UsageError } from './command.ts'
import { withProgress } from './progress.ts'

const usage = `usage: quittance migrate [--dry-run]

  --dry-run  only say which migrations would be applied

Makes the tables of the database that MIGRATION_DATABASE_URL names, or changes them for this version, with the role of
that URL, which owns them. The role of DATABASE_URL, if it is another, gets the rights to read and write rows. Without
MIGRATION_DATABASE_URL, DATABASE_URL is used for all, and nothing is granted. Other settings are not read.
Processes of the version before may run meanwhile. A migration that was interrupted is continued by the next run.
Exit code: 0 when the database is as this version needs it, or with --dry-run could be made so; 1 when it is not, 2 for
wrong usage, 130 when SIGINT or SIGTERM cut it short.`

const options = { 'dry-run': { type: 'boolean' } } as const

export const run = (args: readonly string[]): Promise<number> =>
  command(usage, args, async () => {
    const { values } = readArguments(args, options, z.object({ 'dry-run': z.boolean().default(false) }))
    const { url, grantTo } = settings()
    const pool = openPool(url, 2, console)
    try {
      const fault = await faultOf(pool, grantTo)
      if (fault !== null) throw new CommandError(fault)
      await (values['dry-run'] ? foretell(pool) : carryOut(pool, grantTo))
      return 0
    } catch (error) {
      if (error instanceof CommandError || error instanceof Stopped) throw error
      throw new CommandError(sentenceOf(error))
    } finally {
      await pool.end()
    }
  })

function settings() {
  try {
    const { DATABASE_URL: service, MIGRATION_DATABASE_URL: own } = readDatabaseUrls(
      process.env,
      readDotEnv(process.env),
    )
    const url = own ?? service
    if (url === null)
      throw new UsageError('MIGRATION_DATABASE_URL and DATABASE_URL are not set. A start makes the embedded database.')
    const userOf = (text: string) => new pg.Client(clientsOf(text).connectionString).user ?? null
    const role = service === null ? null : userOf(service)
    return { url, grantTo: role === userOf(url) ? null : role }
  } catch (error) {
    if (error instanceof EnvError) throw new UsageError(`These settings cannot be used:\n${error.message}`)
    throw error
  }
}

/** Returns why the database cannot be migrated, in sentences; null: it can. */
async function faultOf(pool: pg.Pool, grantTo: string | null): Promise<string | null> {
  const { rows } = await pool.query<{
    number: number
    version: string
    encoding: string
    isStandby: boolean
    isThere: boolean
  }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
       current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby",
       $1::text is null or exists (select from pg_roles where rolname = $1) as "isThere"`,
    [grantTo],
  )
  const [server] = rows
  if (server === undefined) throw new Error('PostgreSQL does not say what it is')
  if (server.number < 170_000) return `This is PostgreSQL ${server.version}, and Quittance needs version 17 or later.`
  if (server.isStandby) return 'This server is a standby, which nobody can change: use the URL of the primary.'
  if (server.encoding !== 'UTF8')
    return `The database has the encoding ${server.encoding}. Make one with: create database … encoding UTF8 template template0.`
  if (!server.isThere)
    return `There is no role ${grantTo}, which DATABASE_URL names. Make it with: create role ${pg.escapeIdentifier(grantTo ?? '')} login password '…'.`
  return (await missingRights(pool, { migrates: true })) ?? (await migrationState(pool)).refusal
}

async function foretell(pool: pg.Pool): Promise<void> {
  const { missing, ahead } = await migrationState(pool)
  for (const { name, oldestProgram } of missing)
    console.log(`${name}${oldestProgram === null ? '' : ` (ends versions before ${oldestProgram})`}`)
  if (missing.length > 0) console.log(`${missing.length} would be applied.`)
  else if (await isBehind(pool)) console.log('The tables of the job queue would be changed.')
  else console.log(upToDate(ahead))
}

async function carryOut(pool: pg.Pool, grantTo: string | null): Promise<void> {
  const { missing } = await migrationState(pool)
  await withProgress('migrations', missing.length, ({ print, add, signal }) =>
    migrate(pool, {
      grantTo,
      signal,
      tell: print,
      applied: (name, seconds) => {
        print(`${name} is applied (${seconds.toFixed(1)} s).`)
        add()
      },
    }),
  )
  console.log(upToDate((await migrationState(pool)).ahead))
}

const upToDate = (ahead: readonly string[]) =>
  ahead.length === 0
    ? 'The database is as this version needs it.'
    : `The database is as this version needs it, and newer: ${ahead.join(', ')}. This version may run on it.`

const named: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers there. Check the host and the port of the URL, and whether the server runs.',
  ENOTFOUND: 'Check the host of the URL.',
  '3D000': 'Make the database first (create database … encoding UTF8), or correct the name in the URL.',
  '28P01': 'Check the user and the password of the URL.',
  '28000': 'Check the user of the URL, and pg_hba.conf of the server.',
  '25006': 'Nobody can change this server: use the URL of the primary.',
}

function sentenceOf(error: unknown): string {
  const causes: Error[] = []
  for (let one = error; one instanceof Error; one = one.cause) causes.push(one)
  const words = causes.map(({ message, name }) => message || name).join(': ')
  const code = causes.map(cause => ('code' in cause ? String(cause.code) : '')).find(text => text in named)
  return code === undefined ? `The database cannot be migrated: ${words}` : `${words}. ${named[code]}`
}
