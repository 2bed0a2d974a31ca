// A pooler between the service and PostgreSQL. One that pools transactions gives a session to one connection after the
// other, so that neither settings nor locks nor notifications belong to a connection.
import pg from 'pg'
import {
  differences,
  place,
  readSettings,
  requestSettings,
  type Settings,
  sessionSettings,
} from '../core/database-session.ts'
import { clientsOf } from './pg-primary.ts'

const patienceMs = 5_000
const looks = 5

/** Whether each connection is a session of its own. */
export async function keepsSessions(one: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const process = async (client: pg.ClientBase) => (await client.query('select pg_backend_pid() as id')).rows[0].id
  // A pooler that has several sessions free gives both connections the same one, unless it opens another just then.
  for (let look = 0; look < looks; look++) if ((await process(one)) === (await process(other))) return false
  return true
}

export const poolsTransactions =
  'DATABASE_URL leads to a pooler of transactions. The service listens and holds locks there, which needs sessions of its own: let DATABASE_URL lead to PostgreSQL, or let the pooler pool sessions (pool_mode = session in PgBouncer), and name the pooler of transactions in DATABASE_POOLER_URL.'

/** The settings of a pooler’s sessions: by the name of the database, and by that for reads. */
const pooledSettings = {
  requests: { ...sessionSettings, ...requestSettings },
  reads: { ...sessionSettings, ...requestSettings, ...readSettings },
} satisfies Record<string, Settings>

/** Reads have other settings, so the pooler needs a second name for the database: that of the first, and `_reads`. */
export function pooledReads(poolerUrl: string): string {
  const url = new URL(poolerUrl)
  url.pathname += '_reads'
  return url.toString()
}

/** Throws `database_unavailable` unless the session has the settings of every session, and these. */
export async function demandSettings(client: pg.ClientBase, settings: Settings): Promise<void> {
  const wrong = await differences(client, { ...sessionSettings, ...settings })
  if (wrong.length === 0) return
  const { database = '' } = client as pg.Client
  const text = `the pooler’s sessions of ${database} have other settings (${wrong.join('; ')}): set them by connect_query`
  throw Object.assign(new Error(text), { code: '57P03' })
}

/** Returns the reason why the service cannot use this pooler of transactions before this database; null if it can. */
export async function poolerFault(poolerUrl: string, databaseUrl: string): Promise<string | null> {
  const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }
  const { Client, connectionString } = clientsOf(databaseUrl)
  const direct = new Client({ connectionString, ...limits })
  const pooled = [poolerUrl, poolerUrl, pooledReads(poolerUrl)].map(
    connectionString => new pg.Client({ connectionString, ...limits }),
  )
  const all = [direct, ...pooled]
  const [one, other, reads] = pooled as [pg.Client, pg.Client, pg.Client]
  try {
    for (const client of all) client.on('error', () => {})
    await Promise.all(all.map(client => client.connect()))
    const places = await Promise.all(
      [direct, one, reads].map(async client => (await client.query(`select ${place} as place`)).rows[0].place),
    )
    if (new Set(places).size > 1) return 'it leads to another database than DATABASE_URL'
    await demandSettings(one, pooledSettings.requests)
    await demandSettings(reads, pooledSettings.reads)
    return (await carriesStatements(one, other))
      ? null
      : 'it does not carry prepared statements along: let it, with max_prepared_statements in PgBouncer 1.21 or later'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await Promise.allSettled(all.map(client => client.end()))
  }
}

/** Whether a statement that was prepared in one session is known in the next. */
async function carriesStatements(one: pg.Client, other: pg.Client): Promise<boolean> {
  const statement = { name: 'carried', text: 'select 1' }
  try {
    for (let look = 0; look < looks; look++) {
      await one.query(statement)
      // The pooler gives out the session that it used last, so the other transaction has the one that prepared.
      await other.query('begin')
      await other.query('select 1')
      await one.query(statement)
      await other.query('rollback')
    }
    return true
  } catch (error) {
    // It is not known there, or the pooler passes the name on, which somebody has taken.
    if (error instanceof pg.DatabaseError && ['26000', '42P05'].includes(error.code ?? '')) return false
    throw error
  }
}
