// The event feed over PostgreSQL's LISTEN: one connection for each process, whose notifications wake watchers in
// memory.
import type pg from 'pg'
import type { Logger } from 'pino'
import { fixSession } from '../core/database-session.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import { lastingClient } from './pg-pool.ts'
import type { Silence } from './pg-silence.ts'

const retryMs = 500
// The connection only receives, so a dead one would go unnoticed.
const probeEveryMs = 2_000

export async function openEventFeed(
  connectionString: string,
  log: Logger,
  silence: Silence,
): Promise<EventFeed & { close(): Promise<void> }> {
  const watchers = new Map<string, Set<() => void>>()
  let closed = false
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const { client: fresh, cut } = lastingClient(connectionString, 'quittance events')
    fresh.on('notification', ({ payload }) => {
      for (const topic of payload?.split(',') ?? []) for (const wake of watchers.get(topic) ?? []) wake()
    })
    fresh.on('error', error => log.warn({ err: error }, 'the event feed lost its connection'))
    try {
      await silence.within(listen(fresh), cut)
    } catch (error) {
      void fresh.end()
      throw error
    }
    let isAsked = false
    const probe = setInterval(async () => {
      if (isAsked) return
      isAsked = true
      await silence.within(fresh.query('select 1'), cut).catch(() => undefined)
      isAsked = false
    }, probeEveryMs).unref()
    // Registered only now, because a failed connection attempt also emits `end`, and `reconnect` repeats the attempt
    // already.
    fresh.on('end', () => {
      clearInterval(probe)
      if (!closed) void reconnect()
    })
    return fresh
  }

  async function listen(fresh: pg.Client): Promise<void> {
    await fresh.connect()
    await fresh.query(fixSession)
    await fresh.query('listen events')
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
