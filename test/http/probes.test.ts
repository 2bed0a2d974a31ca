// The port of probes and metrics, in each role: what an orchestrator, a scraper and a stranger get there.
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseFault } from '../../src/adapters/database-fault.ts'
import { openPool } from '../../src/adapters/pg-pool.ts'
import { metricsAccess } from '../../src/http/metrics-access.ts'
import { type Checks, openProbes, type Probes } from '../../src/http/probes.ts'
import { keptPort } from '../kit/kept-port.ts'
import { startPgProxy } from '../kit/pg-proxy.ts'
import { adminKey, apiBeside, freshDatabase, type Service, startService } from '../kit/service.ts'

const token = 'metrics-token-of-the-probes-test'
const scraper = { Authorization: `Bearer ${token}` }

let service: Service
let worker: Service
beforeAll(async () => {
  service = await startService({ PROBE_PORT: '0', METRICS_TOKEN: token })
  worker = await startService({ ...apiBeside(service), ROLES: 'worker', PROBE_PORT: '0', METRICS_TOKEN: token })
})
afterAll(async () => {
  await worker?.stop()
  await service?.stop()
})

async function ask(port: number | null, path: string, init: RequestInit = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe.each([
  ['of an API with a worker', () => service],
  ['of a worker, which listens on nothing else', () => worker],
])('the probes %s', (_, of) => {
  it('answer', async () => {
    const { probePort } = of()
    expect(await ask(probePort, '/livez')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    await expect.poll(() => ask(probePort, '/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' })
    expect((await ask(probePort, '/metrics', { headers: scraper })).text).toMatch(/^process_cpu_seconds_total /m)
  })

  it('answer HEAD alike, without a body', async () => {
    for (const path of ['/livez', '/readyz', '/metrics']) {
      const [get, head] = [
        await ask(of().probePort, path, { headers: scraper }),
        await ask(of().probePort, path, { headers: scraper, method: 'HEAD' }),
      ]
      expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
        get.status,
        get.headers.get('content-type'),
        '',
      ])
    }
  })

  it('answer nothing else', async () => {
    for (const path of ['/', '/graphql', '/v1/health', '/livez/', '//livez', '/openapi.json'])
      expect([path, (await ask(of().probePort, path, { headers: { 'X-API-Key': adminKey } })).status]).toEqual([
        path,
        404,
      ])
    const { status, headers } = await ask(of().probePort, '/readyz', { method: 'POST', body: 'x' })
    expect([status, headers.get('allow'), headers.get('connection')]).toEqual([405, 'GET, HEAD', 'close'])
  })

  it('give the metrics for the token alone', async () => {
    const { probePort } = of()
    const refused = async (headers: Record<string, string>) => {
      const { status, headers: answered } = await ask(probePort, '/metrics', { headers })
      return [status, answered.get('www-authenticate')]
    }
    expect(await refused({})).toEqual([401, 'Bearer realm="metrics"'])
    const wrong = [401, 'Bearer realm="metrics", error="invalid_token"']
    expect(await refused({ Authorization: `Bearer ${token}x` })).toEqual(wrong)
    expect(await refused({ Authorization: `Bearer ${token.slice(1)}` })).toEqual(wrong)
    expect(await refused({ Authorization: `Basic ${token}` })).toEqual(wrong)
    expect(await refused({ Authorization: `Bearer ${adminKey}` })).toEqual(wrong)
    expect(await refused({ 'X-API-Key': token })).toEqual([401, 'Bearer realm="metrics"'])
  })
})

describe('the token of the metrics', () => {
  it('reads them at the API too, beside an administrator’s key', async () => {
    const status = async (headers: Record<string, string>) =>
      (await service.api.call('GET', '/metrics', { headers })).status
    expect(await status(scraper)).toBe(200)
    expect(await status({ 'X-API-Key': adminKey })).toBe(200)
    expect(await status({ Authorization: `Bearer ${adminKey}` })).toBe(200)
    const { headers } = await service.api.call('GET', '/metrics', { headers: { Authorization: `Bearer ${token}x` } })
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="metrics"/)
  })

  it('opens nothing else', async () => {
    const { key } = await service.api.project()
    for (const headers of [scraper, { 'X-API-Key': token }] as Record<string, string>[]) {
      const asked = async (method: string, path: string, body?: unknown) =>
        (await service.api.call(method, path, { headers, ...(body !== undefined && { body }) })).status
      expect(await asked('GET', '/v1/auth/api-keys')).toBe(401)
      expect(await asked('GET', '/v1/receipts')).toBe(401)
      expect(await asked('GET', '/v1/ping')).toBe(401)
      expect(await asked('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).toBe(401)
      expect(await asked('POST', '/graphql', { query: '{ projects { nodes { id } } }' })).toBe(401)
    }
    expect((await service.api.call('GET', '/metrics', { key })).status).toBe(403)
  })
})

describe('readiness', () => {
  const asOwner = async (sql: string) => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  it('ends while a worker has no database, and life does not', async () => {
    const own = await startService({ ROLES: 'worker', PROBE_PORT: '0', LOG_LEVEL: 'silent' })
    try {
      await expect.poll(async () => (await ask(own.probePort, '/readyz')).status).toBe(200)
      const name = new URL(own.databaseUrl).pathname.slice(1)
      await asOwner(`alter database ${name} with allow_connections false`)
      await asOwner(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      const gone = { status: 503, text: '{"status":"not ready","reason":"database"}' }
      await expect.poll(() => ask(own.probePort, '/readyz')).toMatchObject(gone)
      expect((await ask(own.probePort, '/livez')).status).toBe(200)
      await asOwner(`alter database ${name} with allow_connections true`)
      await expect.poll(() => ask(own.probePort, '/readyz')).toMatchObject({ status: 200 })
    } finally {
      await own.stop()
    }
  })

  it('is answered for before the database is there, and until everything is closed', async () => {
    const databaseUrl = await freshDatabase()
    const proxy = await startPgProxy(databaseUrl)
    const reached = Promise.withResolvers<void>()
    const release = Promise.withResolvers<'pass'>()
    const spring = () => {
      reached.resolve()
      return release.promise
    }
    proxy.set({ statement: 'pg_advisory_lock', at: 'before', spring })
    const PROBE_PORT = String(await keptPort())
    const starting = startService({ DATABASE_URL: proxy.url, ROLES: 'api', PROBE_PORT })
    try {
      await reached.promise
      const answer = await ask(Number(PROBE_PORT), '/readyz')
      expect(answer).toMatchObject({ status: 503, text: '{"status":"not ready","reason":"starting"}' })
      expect(answer.headers.get('retry-after')).toBe('5')
      expect((await ask(Number(PROBE_PORT), '/livez')).status).toBe(200)
      expect((await ask(Number(PROBE_PORT), '/metrics')).status).toBe(503)
    } finally {
      release.resolve('pass')
    }
    const own = await starting
    await expect.poll(async () => (await ask(own.probePort, '/readyz')).status).toBe(200)
    // A statement under way holds the end up, so that it can be watched.
    const underWay = own.app.pool.query('select pg_sleep(1)')
    const stopped = own.stop()
    const answer = await ask(own.probePort, '/readyz')
    expect(answer).toMatchObject({ status: 503, text: '{"status":"not ready","reason":"stopping"}' })
    await underWay
    await stopped
    await expect(ask(own.probePort, '/livez')).rejects.toThrow()
    await proxy.stop()
  })

  it('names a standby, missing rights and a schema that is behind', async () => {
    const databaseUrl = await freshDatabase()
    const role = `probed_${process.pid}`
    await asOwner(`create role ${role} login password 'secret'`)
    const inDatabase = async (sql: string) => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      await client.query(sql)
      await client.end()
    }
    const faultOf = async (url: string, settings = {}) => {
      const pool = openPool(url, 1, console, { settings })
      try {
        return await databaseFault(pool)()
      } finally {
        await pool.end()
      }
    }
    expect(await faultOf(databaseUrl)).toBeNull()
    expect(await faultOf(databaseUrl, { default_transaction_read_only: 'on' })).toBe('read_only')
    const asRole = Object.assign(new URL(databaseUrl), { username: role, password: 'secret' }).toString()
    expect(await faultOf(asRole)).toBe('rights')
    await inDatabase(`insert into _prisma_migrations (id, checksum, migration_name, finished_at)
      values ('later', '', '99990101000000_of_a_later_version', now())`)
    expect(await faultOf(databaseUrl)).toBeNull()
    await inDatabase('delete from _prisma_migrations')
    expect(await faultOf(databaseUrl)).toBe('schema')
    await asOwner(`drop role ${role}`)
  })
})

describe('the port alone', () => {
  const opened: Probes[] = []
  afterEach(async () => {
    for (const probes of opened.splice(0)) await probes.close()
  })
  async function open(checks: Partial<Checks>, { host = '127.0.0.1', key = null as string | null } = {}) {
    const probes = await openProbes({ host, port: 0, setting: 'PROBE_PORT' }, metricsAccess(key))
    probes.serve({ stuck: () => null, unready: async () => null, metrics: async () => 'one 1\n', ...checks })
    opened.push(probes)
    return probes.port
  }

  it('says that a stuck process needs a restart', async () => {
    const port = await open({ stuck: () => 'worker' })
    expect(await ask(port, '/livez')).toMatchObject({ status: 503, text: '{"status":"stuck","reason":"worker"}' })
  })

  it('does the work of a flood once', async () => {
    const looked = { unready: 0, metrics: 0 }
    const port = await open({
      async unready() {
        looked.unready++
        return null
      },
      async metrics() {
        looked.metrics++
        return ''
      },
    })
    for (let round = 0; round < 5; round++) {
      const path = round % 2 === 0 ? '/readyz' : '/metrics'
      await Promise.all(Array.from({ length: 100 }, () => ask(port, path)))
    }
    expect(looked.unready).toBeLessThan(20)
    expect(looked.metrics).toBeLessThan(20)
  })

  it('answers beside many connections that say nothing', async () => {
    const port = await open({})
    const silent: Socket[] = Array.from({ length: 400 }, () => connect(port, '127.0.0.1').on('error', () => undefined))
    await sleep(200)
    expect((await ask(port, '/livez')).status).toBe(200)
    expect(silent.filter(socket => socket.destroyed || socket.readableEnded).length).toBeGreaterThan(100)
    for (const socket of silent) socket.destroy()
  })

  it('is not ready when a check hangs or fails', async () => {
    const hanging = await open({ unready: () => new Promise(() => undefined) })
    expect(await ask(hanging, '/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('slow') })
    const failing = await open({ unready: async () => Promise.reject(new Error('secret detail')) })
    expect(await ask(failing, '/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('unknown') })
    const metrics = await open({ metrics: async () => Promise.reject(new Error('secret detail')) })
    const { status, text } = await ask(metrics, '/metrics')
    expect([status, text]).toEqual([500, '{"detail":"internal_error"}'])
  })

  it('shows the metrics to this machine alone while there is no token', async context => {
    const port = await open({}, { host: '0.0.0.0' })
    expect((await ask(port, '/metrics')).text).toBe('one 1\n')
    const all = Object.values(networkInterfaces()).flatMap(list => list ?? [])
    const outside = all.find(({ internal, family }) => !internal && family === 'IPv4')?.address
    if (outside === undefined) return context.skip('this machine has no address but loopback')
    const { status, headers } = await fetch(`http://${outside}:${port}/metrics`)
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="metrics"'])
    expect((await fetch(`http://${outside}:${port}/livez`)).status).toBe(200)
  })

  it('in use is named with its setting', async () => {
    const port = await open({})
    await expect(startService({ ROLES: 'worker', PROBE_PORT: String(port) })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use: stop what uses it, or set PROBE_PORT to another.`,
    )
  })
})
