// The metrics of an API and of a worker, as a scraper reads them: valid, of bounded size, and there when the database
// is not.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPromtool, needsPromtool, promtool } from '../kit/promtool.ts'
import { adminKey, apiBeside, type Service, startService, tipOf } from '../kit/service.ts'

let service: Service
let api: Service
let worker: Service
let key: string
beforeAll(async () => {
  service = await startService({ PROBE_PORT: '0' })
  api = await startService({ ...apiBeside(service), PROBE_PORT: '0', LOG_LEVEL: 'silent' })
  worker = await startService({ ROLES: 'worker', PROBE_PORT: '0' })
  key = (await service.api.project()).key
  const { json } = await service.api.record(key)
  await service.api.anchored(json.receipt_id)
})
afterAll(async () => {
  await worker?.stop()
  await api?.stop()
  await service?.stop()
})

const scrape = async ({ probePort }: Service) => (await fetch(`http://127.0.0.1:${probePort}/metrics`)).text()

/** The values of a metric by their labels. */
async function samples(name: string, of: Service = service): Promise<Record<string, number>> {
  const lines = (await scrape(of))
    .split('\n')
    .filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(
    lines.map(line => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

it('are what promtool accepts, without a warning', async context => {
  if (!hasPromtool) return context.skip(needsPromtool)
  for (const of of [service, worker])
    expect(promtool(['check', 'metrics'], await scrape(of))).toEqual({ code: 0, said: '' })
})

it('count what the process did: jobs, nodes, connections', async () => {
  expect((await samples('quittance_job_duration_seconds_count'))['{task="seal"}']).toBeGreaterThan(0)
  expect((await samples('quittance_job_failures_total'))['{task="anchor"}']).toBe(0)
  expect(
    (await samples('quittance_chain_requests_total'))['{chain="local",node="1",outcome="answered"}'],
  ).toBeGreaterThan(0)
  const pool = await samples('quittance_database_pool_connections')
  expect(pool['{pool="main",state="idle"}']).toBeGreaterThan(0)
  expect((await samples('quittance_database_pool_acquire_seconds_count'))['{pool="main"}']).toBeGreaterThan(0)
  expect((await samples('nodejs_eventloop_active_seconds_total'))['']).toBeGreaterThan(0)
  expect(Object.keys(await samples('quittance_build_info', worker))).toEqual([
    expect.stringContaining('roles="worker"'),
  ])
})

it('say from each process what the database knows of all', async () => {
  await expect.poll(() => samples('quittance_workers')).toEqual({ '': 1 })
  await expect.poll(() => samples('quittance_workers', api)).toEqual({ '': 1 })
  expect(await samples('quittance_jobs')).toMatchObject({ '{task="seal",state="failing"}': 0 })
  expect((await samples('quittance_job_oldest_due_seconds'))['{task="confirm"}']).toBeGreaterThanOrEqual(0)
  expect(await samples('quittance_webhook_oldest_due_seconds')).toEqual({ '': 0 })
})

it('count an open stream, and its events, until it is closed', async () => {
  const { json } = await service.api.record(key)
  const left = new AbortController()
  const path = `${service.base}/v1/iso/events/${json.receipt_id}`
  const stream = await fetch(path, { headers: { Accept: 'text/event-stream' }, signal: left.signal })
  expect(stream.status).toBe(200)
  await expect.poll(async () => (await samples('quittance_streams_open'))['{transport="rest"}']).toBe(1)
  await expect
    .poll(async () => (await samples('quittance_stream_events_total'))['{transport="rest"}'])
    .toBeGreaterThan(0)
  left.abort()
  await expect.poll(async () => (await samples('quittance_streams_open'))['{transport="rest"}']).toBe(0)
})

describe('without an answer of the database', () => {
  it('are there, and a gauge says that those of the installation are not', async () => {
    const database = new pg.Client({ connectionString: service.databaseUrl })
    await database.connect()
    // Everybody waits who reads this table, as for a backlog that is too large to count in time.
    await database.query('begin; lock table fiat_equivalents')
    try {
      await expect.poll(() => samples('quittance_installation_gauges_failed')).toEqual({ '': 1 })
      expect(await samples('quittance_database_up')).toEqual({ '': 1 })
      expect(await samples('process_cpu_seconds_total')).toMatchObject({ '': expect.any(Number) })
      expect(await samples('quittance_workers')).toEqual({ '': 1 })
    } finally {
      await database.query('rollback')
      await database.end()
    }
    await expect.poll(() => samples('quittance_installation_gauges_failed')).toEqual({ '': 0 })
  })

  it('are there while every connection is taken', async () => {
    const taken = await Promise.all(Array.from({ length: 24 }, () => api.app.pool.connect()))
    try {
      await expect.poll(() => samples('quittance_database_up', api)).toEqual({ '': 0 })
      expect(await samples('process_cpu_seconds_total', api)).toMatchObject({ '': expect.any(Number) })
    } finally {
      for (const client of taken) client.release()
    }
    await expect.poll(() => samples('quittance_database_up', api)).toEqual({ '': 1 })
  })
})

it('ask the database no more often, however many scrape', async () => {
  let asked = 0
  const connect = api.app.pool.connect.bind(api.app.pool)
  const counted = (...args: Parameters<typeof connect>) => {
    asked++
    return connect(...args)
  }
  Object.assign(api.app.pool, { connect: counted })
  await Promise.all(Array.from({ length: 300 }, () => api.api.call('GET', '/metrics', { key: adminKey })))
  Object.assign(api.app.pool, { connect })
  expect(asked).toBeLessThan(30)
})

it('stay of one size, whatever a project calls its own chain', async () => {
  const series = async () => (await scrape(service)).split('\n').filter(line => line.includes('chain=')).length
  await series()
  const before = await series()
  for (let n = 0; n < 5; n++) await service.api.record(key, { ...tipOf(), chain: `chain-${n}` })
  expect(await series()).toBe(before)
})
