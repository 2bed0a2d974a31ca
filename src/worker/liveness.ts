// Marks a worker as alive by an advisory lock, which PostgreSQL releases when the process ends, however it ends.
import pg from 'pg'
import type { Logger } from 'pino'
import { fixSession } from '../core/database-session.ts'
import { workerLockClass } from '../kit/worker-lock.ts'

const retryMs = 500

export async function markAlive(
  connectionString: string,
  workerId: string,
  log: Logger,
): Promise<{ end(): Promise<void> }> {
  let ending = false
  let client = await hold()

  async function hold(): Promise<pg.Client> {
    const fresh = new pg.Client({ connectionString, keepAlive: true, application_name: 'quittance worker' })
    fresh.on('error', error => log.warn({ err: error }, 'the worker lost the connection that holds its liveness lock'))
    try {
      await fresh.connect()
      await fresh.query(fixSession)
      await fresh.query('select pg_advisory_lock($1, hashtext($2))', [workerLockClass, workerId])
    } catch (error) {
      void fresh.end()
      throw error
    }
    // Registered only now: a connection that was never established ends as well, and the caller already handles that.
    fresh.on('end', () => void (ending || again()))
    return fresh
  }

  async function again(): Promise<void> {
    while (!ending) {
      await new Promise(resolve => setTimeout(resolve, retryMs).unref())
      try {
        client = await hold()
        if (ending) await client.end()
        return
      } catch (error) {
        log.warn({ err: error }, 'the worker cannot acquire its liveness lock yet')
      }
    }
  }

  return {
    async end() {
      ending = true
      await client.end()
    },
  }
}
