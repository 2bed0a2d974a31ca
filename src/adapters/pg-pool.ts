// Opens the pool of PostgreSQL connections.
import pg from 'pg'
import type { Logger } from 'pino'

export function openPool(connectionString: string, max: number, log: Pick<Logger, 'warn'>): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, keepAlive: true, pipeline: true })
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  // Without an error listener on each connection, one that PostgreSQL closes would end the process.
  pool.on('error', lost).on('connect', client => void client.on('error', lost))
  return pool
}
