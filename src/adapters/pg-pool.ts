// Opens the pool of PostgreSQL connections.
import pg from 'pg'
import type { Logger } from 'pino'

// The system's default finds a dead connection after two hours.
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

export function openPool(connectionString: string, max: number, log: Pick<Logger, 'warn'>): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, ...keptAlive, pipeline: true })
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  // Without an error listener on each connection, one that PostgreSQL closes would end the process.
  pool.on('error', lost).on('connect', client => void client.on('error', lost))
  return pool
}
