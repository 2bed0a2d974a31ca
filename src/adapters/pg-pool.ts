// Opens the pools of PostgreSQL connections, and connections that last.
import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'
import { fixSession, readSettings, requestSettings, type Settings, sets } from '../core/database-session.ts'
import { demandSettings } from './pg-pooler.ts'
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

type Deadlines = { query_timeout?: number; connectionTimeoutMillis?: number }

type PoolOptions = {
  settings?: Settings
  /** Without it a statement may take any time, as those of migrations do. */
  deadline?: Deadlines
  /** The sessions are a pooler's, which gives them to one transaction after the other: it has to have the settings. */
  isShared?: boolean
}

/** `settings`: of each connection, besides those of every session. */
export function openPool(
  connectionString: string,
  max: number,
  log: Pick<Logger, 'warn'>,
  { settings = {}, deadline = {}, isShared = false }: PoolOptions = {},
): pg.Pool {
  const own = { ...(deadline.query_timeout !== undefined && requestSettings), ...settings }
  // The pool hands out no connection on which this failed.
  const onConnect = isShared
    ? (client: pg.ClientBase) => demandSettings(client, own)
    : async (client: pg.ClientBase) => void (await client.query(`${fixSession}; ${sets(own)}`))
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

/** Opens the pool for reads that are compiled to SQL. */
export const openReads = (
  connectionString: string,
  max: number,
  log: Pick<Logger, 'warn'>,
  { deadline = {}, isShared = false }: Pick<PoolOptions, 'deadline' | 'isShared'> = {},
): pg.Pool =>
  openPool(connectionString, max, log, {
    settings: readSettings,
    deadline: { ...answeredWithin, ...deadline },
    isShared,
  })

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
