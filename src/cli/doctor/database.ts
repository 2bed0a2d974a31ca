// Checks the PostgreSQL of DATABASE_URL: reachable, new enough, taking writes, migrated as this program expects, and
// with the same time.
import type pg from 'pg'
import { unfitness } from '../../adapters/database-fitness.ts'
import { missingRights } from '../../adapters/database-rights.ts'
import { isBehind, makesIndex, migrationState, mustMigrate, unfinishedIndexes } from '../../adapters/migrations.ts'
import { keepsSessions, poolsTransactions } from '../../adapters/pg-pooler.ts'
import { clientsOf } from '../../adapters/pg-primary.ts'
import { differences, fixSession, sessionSettings } from '../../core/database-session.ts'
import { readPostgresUrl } from '../../core/postgres-url.ts'
import { inspectServer } from './database-server.ts'
import { inspectTls } from './database-tls.ts'
import { about, type Finding, wordsOf } from './finding.ts'

const { ok, warn, fail } = about('database')
const patienceMs = 5_000
const mostClockDifferenceMs = 2_000

/** The client is null when the database cannot be queried; the caller must end the client. */
export async function inspectDatabase(
  url: string,
  { production, migrationUrl }: { production: boolean; migrationUrl: string | null },
): Promise<{ client: pg.Client | null; findings: Finding[] }> {
  const client = clientOf(url)
  try {
    await client.connect()
  } catch (error) {
    const text = `PostgreSQL cannot be used: ${wordsOf(error)}. Check DATABASE_URL, and whether the server runs.`
    return { client: null, findings: [fail(text), ...(await servers(url))] }
  }
  const unfit = await unfitness(client)
  const overridden = await overrides(client)
  await client.query(fixSession)
  const findings = [
    unfit === null ? ok(await reached(client)) : fail(unfit),
    ...inspectTls(client),
    ...(await servers(url)),
  ]
  if (unfit !== null) return { client, findings }
  const lacking = await missingRights(client, { migrates: !production })
  const state = lacking === null ? await migrations(client, production) : [fail(lacking)]
  const owner = migrationUrl === null ? [] : await inspectOwner(client, migrationUrl)
  const own = [...(await pooler(client, url)), ...overridden, ...(await inspectServer(client))]
  return { client, findings: [...findings, ...own, ...state, await clock(client), ...owner] }
}

/** Checks the role that migrates, and that the service's role is another that may change no table. */
async function inspectOwner(service: pg.Client, url: string): Promise<Finding[]> {
  const { ok, warn, fail } = about('migration')
  const client = clientOf(url)
  try {
    await client.connect()
    await client.query(fixSession)
    const lacking = await missingRights(client, { migrates: true })
    const { rows } = await service.query<{ role: string; mayChange: boolean }>(
      `select quote_ident(current_user) as role, has_schema_privilege('public', 'create') or exists (
         select from pg_class where relnamespace = 'public'::regnamespace and relname = '_prisma_migrations'
           and pg_has_role(relowner, 'usage')) as "mayChange"`,
    )
    const [own] = rows
    return [
      lacking === null ? ok('The role of MIGRATION_DATABASE_URL can migrate.') : fail(lacking),
      ...(own?.mayChange ? [warn(`The service’s role ${own.role} may change tables, too: ${howToSeparate}`)] : []),
    ]
  } catch (error) {
    return [fail(`MIGRATION_DATABASE_URL cannot be used: ${wordsOf(error)}.`)]
  } finally {
    await client.end()
  }
}

const howToSeparate =
  'give the service a role of its own that owns nothing, and run revoke create on schema public from public.'

function clientOf(url: string): pg.Client {
  const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }
  const { Client, connectionString } = clientsOf(url)
  return new Client({ connectionString, ...limits }).on('error', () => {})
}

/** Tells the role of each server, if the URL names several: one must take writes, the others must be its standbys. */
async function servers(url: string): Promise<Finding[]> {
  const read = readPostgresUrl(url)
  if (typeof read === 'string' || read.servers.length === 1) return []
  const roles = await Promise.all(
    read.servers.map(async server => {
      const client = clientOf(server)
      const name = `${client.host}:${client.port}`
      try {
        await client.connect()
        const { rows } = await client.query(
          `select current_setting('transaction_read_only') = 'off' as "takesWrites",
             (select coalesce(status, 'hidden') from pg_stat_wal_receiver where pid is not null) as receives`,
        )
        return { name, ...(rows[0] as { takesWrites: boolean; receives: string | null }), fault: null }
      } catch (error) {
        return { name, takesWrites: false, receives: null, fault: wordsOf(error) }
      } finally {
        await client.end().catch(() => {})
      }
    }),
  )
  const writers = roles.filter(({ takesWrites }) => takesWrites).map(({ name }) => name)
  const several = `${writers.join(' and ')} take writes: all but one are former primaries. Stop those, and make standbys of them.`
  return [
    ...(writers.length > 1 ? [fail(several)] : []),
    ...roles.map(({ name, takesWrites, receives, fault }) => {
      if (fault !== null) return warn(`${name} cannot be used: ${fault}. No failover leads to it.`)
      if (takesWrites) return ok(`${name} takes writes.`)
      // PostgreSQL hides the state of the receiver from a role without pg_read_all_stats.
      if (receives === 'hidden') return ok(`${name} is a standby with a WAL receiver.`)
      return receives === 'streaming'
        ? ok(`${name} is a standby.`)
        : warn(`${name} is a standby that receives nothing (${receives ?? 'no WAL receiver'}): see its log.`)
    }),
  ]
}

async function pooler(client: pg.Client, url: string): Promise<Finding[]> {
  const other = clientOf(url)
  try {
    await other.connect()
    return (await keepsSessions(client, other)) ? [] : [fail(poolsTransactions)]
  } finally {
    await other.end()
  }
}

/** Names the settings of the server, the database or the role in whose place the service has its own. */
async function overrides(client: pg.Client): Promise<Finding[]> {
  const named = (await differences(client, sessionSettings)).join('; ')
  return named === '' ? [] : [ok(`Quittance overrides these settings in its own connections: ${named}.`)]
}

async function reached(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(`select current_setting('server_version') as name`)
  return `PostgreSQL ${rows[0]?.name ?? '?'} is reached.`
}

async function migrations(client: pg.Client, production: boolean): Promise<Finding[]> {
  const { known, missing, ahead, isEmpty, refusal } = await migrationState(client)
  if (refusal !== null) return [fail(refusal)]
  if (production && (await isBehind(client))) return [fail(mustMigrate)]
  if (isEmpty) return [warn(`It is empty: the first start makes its tables (migrations: ${known.length}).`)]
  const unfinished = (await unfinishedIndexes(client)).map(index => {
    const text = `PostgreSQL does not use the index ${index}, which is not built completely. Unless it is being built, drop it`
    return missing.some(({ sql }) => makesIndex(sql, index))
      ? fail(`${text}: the next start is refused with it.`)
      : warn(`${text}, and build it again.`)
  })
  const names = missing.map(({ name }) => name).join(', ')
  return [
    names === ''
      ? ok(`All migrations are applied (${known.length}).`)
      : warn(`The next start changes its tables: ${names}.`),
    ...(ahead.length === 0 ? [] : [ok(`It is newer than this version, which may run on it: ${ahead.join(', ')}.`)]),
    ...unfinished,
  ]
}

async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  const differenceMs = Math.round((rows[0]?.now.getTime() ?? 0) - (before + Date.now()) / 2)
  const text = `Its clock and this machine’s differ by ${Math.abs(differenceMs)} ms.`
  return Math.abs(differenceMs) > mostClockDifferenceMs ? warn(`${text} Set both by NTP.`) : ok(text)
}
