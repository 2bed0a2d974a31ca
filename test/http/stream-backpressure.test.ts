// A client of /graphql/stream that does not read: the service reads no more events for it than the connection takes.
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Service, startService } from '../kit/service.ts'

const events = 4_000
const eventsOfPage = 200

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

it('a client that does not read stops the reading of its events', async () => {
  const { id, key } = await service.api.project()
  const { receipt_id } = (await service.api.record(key)).json
  await service.api.anchored(receipt_id)
  await service.app.pool.query(
    `insert into events (type, project_id, receipt_id, status)
     select 'receipt.pending', $1, $2, 'pending' from generate_series(1, ${events})`,
    [id, receipt_id],
  )
  const asked = vi.spyOn(service.app.pool, 'query')
  const pages = () =>
    asked.mock.calls.filter(([query]) => JSON.stringify(query)?.includes('and id > $2::bigint order by id limit'))
      .length
  // Some kilobytes for each event: all of them exceed what the buffers of a connection hold.
  const fields = Array.from({ length: 40 }, (_, index) => `f${index}: data`)
  const query = `subscription { webhookEvents(after: "0") { id ${fields.join(' ')} } }`
  const url = `${service.base}/graphql/stream?query=${encodeURIComponent(query)}`
  const request = http.get(url, { headers: { 'X-API-Key': key, Accept: 'text/event-stream' } })
  const [response] = await once(request, 'response')
  expect(response.statusCode).toBe(200)
  let before = -1
  // Until no page is read for a second.
  while (pages() !== before) {
    before = pages()
    await sleep(1_000)
  }
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(events / eventsOfPage)
  // Read again, all of them arrive.
  response.resume()
  await expect.poll(pages).toBeGreaterThanOrEqual(events / eventsOfPage)
  request.destroy()
  asked.mockRestore()
})
