// A client of /graphql/stream that does not read: the service reads no more events for it than the connection takes.
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { type Service, startService } from '../kit/service.ts'
import { onlyInFull as it } from '../kit/size.ts'

const events = 4_000
const eventsOfPage = 200
// Some kilobytes for each event: all of them exceed what the buffers of a connection hold.
const fields = Array.from({ length: 40 }, (_, index) => `f${index}: data`)
const query = `subscription { webhookEvents(after: "0") { cursor ${fields.join(' ')} } }`
const tokenHeader = 'X-GraphQL-Event-Stream-Token'

let service: Service
let key: string
let readings: () => number
beforeAll(async () => {
  service = await startService()
  const project = await service.api.project()
  key = project.key
  const { receipt_id } = (await service.api.record(key)).json
  await service.api.anchored(receipt_id)
  await service.app.pool.query(
    `insert into events (type, project_id, receipt_id, status)
     select 'receipt.pending', $1, $2, 'pending' from generate_series(1, ${events})`,
    [project.id, receipt_id],
  )
})
afterAll(() => service?.stop())
beforeEach(() => {
  const { calls } = vi.spyOn(service.app.pool, 'query').mock
  readings = () =>
    calls.filter(([asked]) => JSON.stringify(asked)?.includes('and id > $2::bigint order by id limit')).length
})
afterEach(() => vi.restoreAllMocks())

/** Opens a stream without reading it. */
async function open(
  headers: Record<string, string>,
  search = `?query=${encodeURIComponent(query)}`,
  { base }: Service = service,
) {
  const request = http.get(`${base}/graphql/stream${search}`, {
    headers: { 'X-API-Key': key, Accept: 'text/event-stream', ...headers },
  })
  const [response] = await once(request, 'response')
  expect(response.statusCode).toBe(200)
  return { request, response }
}

/** Waits until no page of events is read for three seconds, and expects that some are unread. */
async function expectStopped() {
  await expect.poll(readings).toBeGreaterThan(0)
  let [before, equal] = [readings(), 0]
  while (equal < 3) {
    await sleep(1_000)
    equal = readings() === before ? equal + 1 : 0
    before = readings()
  }
  expect(before).toBeLessThan(events / eventsOfPage)
}

it('a client that does not read stops the reading of its events', async () => {
  const { request, response } = await open({})
  await expectStopped()
  // Read again, all of them arrive.
  response.resume()
  await expect.poll(readings).toBeGreaterThanOrEqual(events / eventsOfPage)
  request.destroy()
})

it('so it does when another stream with its token has ended', async () => {
  const token = { [tokenHeader]: crypto.randomUUID() }
  const { request } = await open(token)
  const other = await open(token, `?query=${encodeURIComponent('{ health { status } }')}`)
  other.response.resume()
  await once(other.response, 'end')
  await expectStopped()
  request.destroy()
})

it('the results for a reserved stream that nobody has opened are bounded', async () => {
  const url = `${service.base}/graphql/stream`
  const token = await (await fetch(url, { method: 'PUT', headers: { 'X-API-Key': key } })).text()
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', [tokenHeader]: token }
  const body = JSON.stringify({ query, extensions: { operationId: 'all' } })
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(202)
  await expectStopped()
  const { request, response } = await open({ [tokenHeader]: token }, '')
  response.resume()
  await expect.poll(readings).toBeGreaterThanOrEqual(events / eventsOfPage)
  request.destroy()
})

it('a client that does not read a stream that another process keeps stops the reading of its events', async () => {
  const other = await startService({ ROLES: 'api', DATABASE_URL: service.databaseUrl })
  try {
    const url = `${service.base}/graphql/stream`
    const token = await (await fetch(url, { method: 'PUT', headers: { 'X-API-Key': key } })).text()
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', [tokenHeader]: token }
    const { request, response } = await open({ [tokenHeader]: token }, '', other)
    const body = JSON.stringify({ query, extensions: { operationId: 'all' } })
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(202)
    await expectStopped()
    response.resume()
    await expect.poll(readings).toBeGreaterThanOrEqual(events / eventsOfPage)
    request.destroy()
  } finally {
    await other.stop()
  }
})
