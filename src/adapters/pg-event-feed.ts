// The event feed over PostgreSQL's LISTEN: one connection for each process, whose notifications wake watchers in
// memory. It also receives what other processes send to this one.
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import packageJson from '../../package.json' with { type: 'json' }
import { fixSession } from '../core/database-session.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import { lockOf, programLockClass } from './migrations.ts'
import { lastingClient } from './pg-pool.ts'
import type { Silence } from './pg-silence.ts'

const retryMs = 500
// The connection only receives, so a dead one would go unnoticed.
const probeEveryMs = 2_000

// The class of the advisory locks that show which processes listen.
export const processLockClass = 7_474
export const channelOf = (processId: string): string => `process_${processId}`

export type Mailbox = {
  /** Eight hex digits. */
  readonly processId: string
  /** `lost` is called when messages may have been lost. */
  receive(handlers: { message(text: string): void; lost(): void }): void
}

export async function openEventFeed(
  connectionString: string,
  log: Logger,
  silence: Silence,
): Promise<EventFeed & Mailbox & { close(): Promise<void> }> {
  const processId = randomBytes(4).toString('hex')
  let mail: Parameters<Mailbox['receive']>[0] | null = null
  const watchers = new Map<string, Set<() => void>>()
  let closed = false
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const { client: fresh, cut } = lastingClient(connectionString, 'quittance events')
    fresh.on('notification', ({ channel, payload }) => {
      if (channel !== 'events') return mail?.message(payload ?? '')
      for (const topic of payload?.split(',') ?? []) for (const wake of watchers.get(topic) ?? []) wake()
    })
    fresh.on('error', error => log.warn({ err: error }, 'the event feed lost its connection'))
    try {
      await silence.within(listen(fresh), cut)
    } catch (error) {
      void fresh.end()
      throw error
    }
    let isRequested = false
    const probe = setInterval(async () => {
      if (isRequested) return
      isRequested = true
      await silence.within(fresh.query('select 1'), cut).catch(() => undefined)
      isRequested = false
    }, probeEveryMs).unref()
    // Registered only now, because a failed connection attempt also emits `end`, and `reconnect` repeats the attempt
    // already.
    fresh.on('end', () => {
      clearInterval(probe)
      mail?.lost()
      if (!closed) void reconnect()
    })
    return fresh
  }

  async function listen(fresh: pg.Client): Promise<void> {
    await fresh.connect()
    await fresh.query(fixSession)
    await fresh.query(`listen events; listen ${channelOf(processId)}`)
    // Shared, because PostgreSQL may not have noticed yet that the former connection is gone.
    await fresh.query('select pg_advisory_lock_shared($1, $2)', [processLockClass, Number.parseInt(processId, 16) | 0])
    await fresh.query('select pg_advisory_lock_shared($1, $2)', [programLockClass, lockOf(packageJson.version)])
  }

  async function reconnect(): Promise<void> {
    while (!closed) {
      await new Promise(resolve => setTimeout(resolve, retryMs).unref())
      try {
        client = await connect()
        if (closed) return await client.end()
        // Notifications in between are lost, so every watcher is woken to read the rows itself.
        for (const wakes of watchers.values()) for (const wake of wakes) wake()
        return
      } catch (error) {
        log.warn({ err: error }, 'the event feed cannot reconnect yet')
      }
    }
  }

  return {
    processId,
    receive: handlers => {
      mail = handlers
    },
    watch(topic, wake) {
      const wakes = watchers.get(topic) ?? new Set()
      watchers.set(topic, wakes.add(wake))
      return {
        stop() {
          wakes.delete(wake)
          if (wakes.size === 0) watchers.delete(topic)
        },
      }
    },
    async close() {
      closed = true
      await client.end()
    },
  }
}
