// The event feed over a connection that goes silent: it stays open and carries nothing more, as after a router on the
// way to PostgreSQL has restarted.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openEventFeed } from '../../src/adapters/pg-event-feed.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { createSilence } from '../../src/adapters/pg-silence.ts'
import { freshDatabase } from '../kit/service.ts'

const id = '11111111-2222-4333-8444-555555555555'
const log = pino({ level: 'silent' })
let pool: pg.Pool
let proxy: Awaited<ReturnType<typeof startProxy>>
let feed: Awaited<ReturnType<typeof openEventFeed>>

beforeEach(async () => {
  // With the functions that clear them: otherwise an answered probe destroys its connection too.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const databaseUrl = await freshDatabase()
  pool = openPool(databaseUrl, 2, console)
  await pool.query(`insert into projects (id, name) values ($1, 'Shop')`, [id])
  await pool.query(
    `insert into webhook_endpoints (id, project_id, url, updated_at) values ($1, $1, 'https://shop.example', now())`,
    [id],
  )
  proxy = await startProxy(databaseUrl)
  feed = await openEventFeed(
    proxy.url,
    log,
    createSilence(log, () => undefined),
  )
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all([feed.close(), proxy.stop()])
  await pool.end()
})

async function startProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const open = new Set<Socket>()
  const server = createServer(client => {
    const behind = connect(Number(port), hostname)
    for (const socket of [client, behind]) open.add(socket.on('error', () => {}))
    client.pipe(behind).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = String((server.address() as AddressInfo).port)
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: own }).toString(),
    /** Silences the open connections; later ones work. */
    silence() {
      for (const socket of open) socket.unpipe().pause()
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

it('is found dead and connected again, and a watcher is called so that it reads what it missed', async () => {
  const read = async () => (await pool.query('select id from events order by id')).rows.map(row => row.id)
  const happen = async () => {
    await pool.query(`insert into events (type, project_id, endpoint_id) values ('webhook.test', $1, $1)`, [id])
    return read()
  }
  let seen: string[] = []
  feed.watch(id, async () => {
    seen = await read()
  })
  const first = await happen()
  await expect.poll(() => seen).toEqual(first)

  proxy.silence()
  const missed = await happen()
  const seenLater = () => vi.advanceTimersByTimeAsync(1_000).then(() => seen)
  await expect.poll(seenLater).toEqual(missed)

  const later = await happen()
  // On a slow machine the new connection's probe can time out too, and reconnecting waits for these timers.
  await expect.poll(seenLater).toEqual(later)
})
