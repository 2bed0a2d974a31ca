// The event feed over PostgreSQL's LISTEN: one connection for each process, whose notifications wake watchers in
// memory.
import { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'
import { fixSession } from '../core/database-session.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import { keptAlive } from './pg-pool.ts'

const retryMs = 500
// The connection only receives, so a dead one would go unnoticed.
const probeEveryMs = 15_000
const probeTimeoutMs = 10_000

export async function openEventFeed(
  connectionString: string,
  log: Logger,
): Promise<EventFeed & { close(): Promise<void> }> {
  const watchers = new Map<string, Set<() => void>>()
  let closed = false
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const socket = new Socket()
    const fresh = new pg.Client({
      connectionString,
      ...keptAlive,
      stream: () => socket,
      application_name: 'quittance events',
    })
    fresh.on('notification', ({ payload }) => {
      for (const topic of payload?.split(',') ?? []) for (const wake of watchers.get(topic) ?? []) wake()
    })
    fresh.on('error', error => log.warn({ err: error }, 'the event feed lost its connection'))
    try {
      await fresh.connect()
      await fresh.query(fixSession)
      await fresh.query('listen events')
    } catch (error) {
      void fresh.end()
      throw error
    }
    const probe = setInterval(() => {
      const timeout = setTimeout(() => socket.destroy(), probeTimeoutMs).unref()
      fresh.query('select 1').then(
        () => clearTimeout(timeout),
        () => clearTimeout(timeout),
      )
    }, probeEveryMs).unref()
    // Registered only now, because a failed connection attempt also emits `end`, and `reconnect` repeats the attempt
    // already.
    fresh.on('end', () => {
      clearInterval(probe)
      if (!closed) void reconnect()
    })
    return fresh
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
