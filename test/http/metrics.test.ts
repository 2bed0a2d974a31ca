// The metrics of an API and of a worker, as a scraper reads them: valid, of bounded size, and there when the database
// is not.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationNames } from '../../src/http/operation-names.ts'
import { seenFunds } from '../../src/modules/transactions/watch-funds.ts'
import { hasPromtool, needsPromtool, promtool } from '../kit/promtool.ts'
import { adminKey, apiBeside, type Service, startService, tipOf } from '../kit/service.ts'

let service: Service
let api: Service
let worker: Service
let key: string
// The counters are the process's own, which may have tested another service before.
let failuresBefore: Record<string, number>
beforeAll(async () => {
  service = await startService({ PROBE_PORT: '0' })
  api = await startService({ ...apiBeside(service), PROBE_PORT: '0', LOG_LEVEL: 'silent' })
  worker = await startService({ ROLES: 'worker', PROBE_PORT: '0' })
  key = (await service.api.project()).key
  failuresBefore = await samples('quittance_job_failures_total')
  const { json } = await service.api.record(key)
  await service.api.anchored(json.receipt_id)
})
afterAll(async () => {
  await worker?.stop()
  await api?.stop()
  await service?.stop()
})

/** An API is read at its main port, whose answer nobody shares. */
async function scrape({ base, probePort }: Service): Promise<string> {
  const place = base === '' ? `http://127.0.0.1:${probePort}` : base
  return (await fetch(`${place}/metrics`, { headers: { 'X-API-Key': adminKey } })).text()
}

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
  expect(failuresBefore['{task="anchor"}']).toBeGreaterThanOrEqual(0)
  expect((await samples('quittance_job_failures_total'))['{task="anchor"}']).toBe(failuresBefore['{task="anchor"}'])
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

describe('of requests', () => {
  const value = async (name: string, labels: string) => (await samples(name))[labels] ?? 0

  it('name the route as it is declared, and the class of the status', async () => {
    const route = '/v1/iso/receipts/:rid'
    const [ok, missing] = ['2xx', '4xx'].map(status => `{route="${route}",method="GET",status="${status}"}`)
    const count = (labels = '') => value('quittance_http_requests_total', labels)
    const before = [await count(ok), await count(missing)]
    const { json } = await service.api.record(key)
    await service.api.call('GET', `/v1/iso/receipts/${json.receipt_id}`)
    await service.api.call('GET', `/v1/iso/receipts/${randomUUID()}`)
    expect([await count(ok), await count(missing)]).toEqual(before.map(counted => counted + 1))
    expect(await value('quittance_http_request_duration_seconds_count', `{route="${route}",method="GET"}`)).toBe(
      (await count(ok)) + (await count(missing)),
    )
    expect(await value('quittance_errors_total', '{code="not_found"}')).toBeGreaterThan(0)
    expect(await value('quittance_http_cost_total', `{route="${route}"}`)).toBeGreaterThan(0)
  })

  it('take a path, a method and an operation that a caller invents for one', async () => {
    const before = (await scrape(service)).split('\n').length
    for (let n = 0; n < 5; n++) {
      await service.api.call('GET', `/invented/${n}`)
      await service.api.call('PROPFIND', `/v1/iso/receipts/${n}`)
      await service.api.graphql(`query Invented${n} { __typename }`)
      await service.api.graphql(`query Invented${n} { nothing }`, { key })
    }
    // The first of each makes its series: those of a new code, of two routes and of the operation `other`.
    expect((await scrape(service)).split('\n').length).toBeLessThan(before + 80)
    const text = await scrape(service)
    expect(text).not.toMatch(/invented|Invented|PROPFIND/)
    expect(text).toMatch(/^quittance_http_requests_total\{route="none",method="GET",status="4xx"\} \d+$/m)
  })

  it('name the operations of callers with a key, 20 of a project', async () => {
    const { key: other } = await service.api.project()
    for (let n = 0; n < 25; n++) await service.api.graphql(`query Of${n} { __typename }`, { key: other })
    const names = Object.keys(await samples('quittance_graphql_operations_total'))
    expect(names.filter(name => name.includes('"Of'))).toHaveLength(20)
    expect(names).toContain('{operation="Of0",outcome="ok"}')
    expect(await value('quittance_graphql_operations_total', '{operation="other",outcome="ok"}')).toBeGreaterThan(4)
    expect(await value('quittance_graphql_operation_duration_seconds_count', '{operation="Of0"}')).toBe(1)
  })

  it('count the refusals of a limit', async () => {
    const limited = await startService({ ...apiBeside(service), RATE_LIMITS: 'address=3', PROBE_PORT: '0' })
    try {
      for (let n = 0; n < 6; n++) await limited.api.call('GET', '/v1/ping')
      expect((await samples('quittance_limit_refusals_total', limited))['{limit="address"}']).toBeGreaterThan(0)
      expect((await samples('quittance_errors_total', limited))['{code="too_many_requests"}']).toBeGreaterThan(0)
    } finally {
      await limited.stop()
    }
  })
})

it('keep at most 100 names of operations', () => {
  const { labelOf } = operationNames()
  const name = (project: string, n: number) => labelOf(`Name${project}${n}`, { project, document: null }, false)
  const labels = Array.from({ length: 10 }, (_, project) =>
    Array.from({ length: 30 }, (__, n) => name(`p${project}`, n)),
  )
  expect(new Set(labels.flat()).size).toBe(101)
  expect(labelOf('Trusted', { project: 'anonymous', document: 'id' }, false)).toBe('Trusted')
  expect(labelOf('NotInIt', { project: 'anonymous', document: 'id' }, true)).toBe('other')
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

it('tell no balance that could not be read for long', async () => {
  const balances = () => samples('quittance_signer_balance_wei')
  await expect.poll(async () => Object.keys(await balances())).toEqual(['{chain="local"}'])
  const seen = seenFunds(service.app).batches
  for (const [chain, funds] of seen) seen.set(chain, { ...funds, at: performance.now() - 700_000 })
  expect(await balances()).toEqual({})
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
