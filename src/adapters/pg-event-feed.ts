// The event feed over PostgreSQL's LISTEN: one connection for each process, whose notifications wake watchers in
// memory.
import pg from 'pg'
import type { Logger } from 'pino'
import type { EventFeed } from '../ports/event-feed.ts'

const retryMs = 500

export async function openEventFeed(
  connectionString: string,
  log: Logger,
): Promise<EventFeed & { close(): Promise<void> }> {
  const watchers = new Map<string, Set<() => void>>()
  let closed = false
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ connectionString, keepAlive: true, application_name: 'quittance events' })
    fresh.on('notification', ({ payload }) => {
      for (const topic of payload?.split(',') ?? []) for (const wake of watchers.get(topic) ?? []) wake()
    })
    fresh.on('error', error => log.warn({ err: error }, 'the event feed lost its connection'))
    try {
      await fresh.connect()
      await fresh.query('listen events')
    } catch (error) {
      void fresh.end()
      throw error
    }
    // Registered only now, because a failed connection attempt also emits `end`, and `reconnect` repeats the attempt
    // already.
    fresh.on('end', () => void (closed || reconnect()))
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
