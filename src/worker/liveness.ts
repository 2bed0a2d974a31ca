// Marks a worker as alive by an advisory lock, which PostgreSQL releases when the process ends, however it ends.
import type pg from 'pg'
import type { Logger } from 'pino'
import { fixSession } from '../core/database-session.ts'
import { workerLockClass } from '../kit/worker-lock.ts'

const retryMs = 500
const goodbyeMs = 5_000

/** `cut` ends the connection without a goodbye. */
export type Lasting = { client: pg.Client; cut(): void }

export async function markAlive(open: () => Lasting, workerId: string, log: Logger): Promise<{ end(): Promise<void> }> {
  let ending = false
  let held = await hold()

  async function hold(): Promise<Lasting> {
    const { client: fresh, cut } = open()
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
    return { client: fresh, cut }
  }

  async function again(): Promise<void> {
    while (!ending) {
      await new Promise(resolve => setTimeout(resolve, retryMs).unref())
      try {
        held = await hold()
        if (ending) await release()
        return
      } catch (error) {
        log.warn({ err: error }, 'the worker cannot acquire its liveness lock yet')
      }
    }
  }

  /** The server releases the lock when it answers again; a worker that begins meanwhile has another lock. */
  async function release(): Promise<void> {
    const timer = setTimeout(held.cut, goodbyeMs)
    await held.client.end()
    clearTimeout(timer)
  }

  return {
    async end() {
      ending = true
      await release()
    },
  }
}
