// Opens the pools of PostgreSQL connections, and connections that last.
import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'
import { fixSession } from '../core/database-session.ts'
import { clientsOf } from './pg-primary.ts'

// Enough for requests, six worker slots and Prisma's transactions.
export const connections = 24
export const readConnections = 8
/** The connections of a process: of both pools, of the event feed, and that which shows that a worker lives. */
export const mostConnections = connections + readConnections + 2

// The system's default finds a dead connection after two hours. The time to connect is also that to wait for a
// connection of the pool.
const connected = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, connectionTimeoutMillis: 10_000 }

/**
 * After this time `pg` fails a statement and destroys its connection, because its answer could still come. A statement
 * that PostgreSQL has read is carried out nevertheless.
 */
export const answeredWithin = { query_timeout: 20_000 }

// For a process that is gone or stands still. A wait for a lock ends before its caller is given up. A statement has
// long, so that one that clears a backlog succeeds even if its caller was given up.
const serverLimits =
  "set lock_timeout = '15s'; set idle_in_transaction_session_timeout = '60s'; set statement_timeout = '5min'"

type Deadlines = { query_timeout?: number; connectionTimeoutMillis?: number }

/**
 * `settings`: SQL that each connection runs first, besides that of every session. Without `deadline` a statement may
 * take any time, as those of migrations do.
 */
export function openPool(
  connectionString: string,
  max: number,
  log: Pick<Logger, 'warn'>,
  { settings = '', deadline = {} }: { settings?: string; deadline?: Deadlines } = {},
): pg.Pool {
  // The pool hands out no connection on which this failed.
  const limits = deadline.query_timeout === undefined ? '' : serverLimits
  const first = [fixSession, limits, settings].filter(text => text !== '').join('; ')
  const onConnect = async (client: pg.ClientBase) => void (await client.query(first))
  const pool = new pg.Pool({
    ...clientsOf(connectionString),
    max,
    ...connected,
    ...deadline,
    pipeline: true,
    onConnect,
  })
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  // Without an error listener on each connection, one that PostgreSQL closes would end the process.
  pool.on('error', lost).on('connect', client => {
    client.on('error', lost)
    leaveReadOnly(client)
  })
  return pool
}

/** Cuts a connection to a server that has become read-only, because the next one may lead to its successor. */
function leaveReadOnly(client: pg.Client): void {
  client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
    if (code === '25006') client.connection.stream.destroy()
  })
}

const readSettings =
  'set plan_cache_mode = force_generic_plan; set random_page_cost = 1.1; set enable_seqscan = off; set jit = off; set statement_timeout = 10000'

/**
 * Opens the pool for reads that are compiled to SQL. Their statements name the columns by which they look up rows, so
 * the plan does not depend on the values, and planning would take longer than the read itself. A plan that reads a
 * table from end to end, because few projects have most of its rows, would be kept for the other projects too. A page
 * is read in the order of an index also before statistics are gathered: with the default cost of a random page,
 * PostgreSQL would read and sort the whole project.
 */
export const openReads = (
  connectionString: string,
  max: number,
  log: Pick<Logger, 'warn'>,
  more: Deadlines = {},
): pg.Pool => openPool(connectionString, max, log, { settings: readSettings, deadline: { ...answeredWithin, ...more } })

/**
 * A connection that is no pool's. `cut` ends it without a goodbye, for which a silent server would be waited for.
 */
export function lastingClient(connectionString: string, name: string): { client: pg.Client; cut(): void } {
  const socket = new Socket()
  const { Client, connectionString: url } = clientsOf(connectionString)
  const client = new Client({
    connectionString: url,
    ...connected,
    ...answeredWithin,
    stream: () => socket,
    application_name: name,
  })
  return { client, cut: () => void socket.destroy() }
}

/**
 * Whether each connection is a session of its own. A pooler of transactions gives one session to several connections in
 * turn, so that neither settings nor locks nor notifications belong to a connection.
 */
export async function keepsSessions(one: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const process = async (client: pg.ClientBase) => (await client.query('select pg_backend_pid() as id')).rows[0].id
  return (await process(one)) !== (await process(other))
}

export const poolsTransactions =
  'DATABASE_URL leads to a pooler of transactions, which gives the connections of Quittance changing sessions: let it pool sessions (pool_mode = session in PgBouncer).'
